// schedule:add and schedule:edit: when, and what.
#include <filesystem>

#include "cli/channel/signal_request.h"
#include "cli/schedule/commands.h"
#include "cli/schedule/schedule_home.h"
#include "cli/text.h"
#include "cli/user_files.h"
#include "cli/user_values.h"
#include "engine/process_loader.h"
#include "engine/thread.h"
#include "journal/clock.h"

namespace reprise {
namespace {

/// "builtin:NAME" as it is; a script by its absolute path, with its export.
std::string entry_flag(const std::string& entry, const Session& session) {
  constexpr std::string_view kBuiltIn = "builtin:";
  if (entry.starts_with(kBuiltIn)) {
    find_built_in(session.context().built_ins, entry.substr(kBuiltIn.size()));
    return entry;
  }
  const auto hash = entry.rfind('#');
  const auto file = (std::filesystem::path(session.working_dir()) / entry.substr(0, hash))
                        .lexically_normal()
                        .string();
  if (!read_source_file(file)) {
    throw Error(Exit::kNotFound, "FILE_NOT_FOUND", "--entry: there is no file " + file,
                "a script, as nightly.mjs#process, or builtin:NAME");
  }
  return file + (hash == std::string::npos ? "" : entry.substr(hash));
}

Document inputs_flags(const Arguments& arguments, const Session& session) {
  const auto file = arguments.value("--inputs");
  const auto text =
      file ? read_user_file(*file, {session.working_dir()}, "--inputs") : std::string();
  return Document::parse(make_inputs(text, arguments.values("--input")).text);
}

/// What the flags say of what fires, and nothing else: a target, or a patch of one.
Document target_flags(const Arguments& arguments, const Session& session) {
  Document target = Document::object();
  for (const char* name : {"channel", "command"}) {
    const auto flag = "--" + std::string(name);
    if (const auto value = arguments.value(flag)) target[name] = checked_text(*value, flag);
  }
  if (const auto prompt = arguments.positional("PROMPT"); !prompt.empty()) {
    target["prompt"] = checked_text(prompt, "PROMPT");
  }
  if (const auto author = arguments.value("--as")) target["author"] = checked_text(*author, "--as");
  if (const auto dir = arguments.value("--dir")) {
    target["cwd"] = (std::filesystem::path(session.working_dir()) / checked_text(*dir, "--dir"))
                        .lexically_normal();
  }
  if (const auto pause = arguments.value("--auto-delete")) {
    target["autoDeleteMs"] = parse_duration_ms(*pause, "--auto-delete");
  }
  if (const auto entry = arguments.value("--entry")) {
    target["entry"] = checked_text(entry_flag(*entry, session), "--entry");
  }
  if (arguments.has("--inputs") || arguments.has("--input")) {
    target["inputs"] = inputs_flags(arguments, session);
  }
  return target;
}

/// Members that only one kind of target has.
void refuse_foreign(const Document& target, const std::string& kind) {
  const auto foreign = [&](const char* name, const char* flag, const char* owner) {
    if (!target.contains(name) || kind == owner) return;
    throw invalid_argument(std::string(flag) + " belongs to a schedule that fires a " + owner +
                           ", not a " + kind);
  };
  foreign("prompt", "PROMPT", "message");
  foreign("channel", "--channel", "message");
  foreign("author", "--as", "message");
  foreign("autoDeleteMs", "--auto-delete", "message");
  foreign("entry", "--entry", "run");
  foreign("inputs", "--input", "run");
  foreign("command", "--command", "command");
  foreign("cwd", "--dir", "command");
}

Document new_target(const Arguments& arguments, const Session& session, Workspace& workspace) {
  auto target = target_flags(arguments, session);
  const int given = static_cast<int>(arguments.has("--channel")) +
                    static_cast<int>(arguments.has("--entry")) +
                    static_cast<int>(arguments.has("--command"));
  if (given != 1) {
    throw invalid_argument(
        "what is to fire? Exactly one of --channel (with a PROMPT), --entry and --command",
        "reprise help schedule:add shows examples");
  }
  const std::string kind = arguments.has("--channel") ? "message"
                           : arguments.has("--entry") ? "run"
                                                      : "command";
  refuse_foreign(target, kind);
  target["kind"] = kind;
  if (kind == "run" && !target.contains("inputs")) target["inputs"] = Document::object();
  if (kind != "message") return target;
  if (!target.contains("prompt")) throw invalid_argument("a message needs a PROMPT");
  find_live_channel(workspace, target["channel"]);
  if (!target.contains("author")) target["author"] = session.context().author.user;
  return target;
}

void add_name(const Arguments& arguments, Document& value) {
  if (const auto name = arguments.value("--name")) value["name"] = checked_text(*name, "--name");
}

/// Of a schedule whose cron expression stays, --tz alone is another zone for it.
std::optional<Timing> edited_timing(const Arguments& arguments, const Document& schedule,
                                    int64_t now_ms) {
  auto timing = timing_flags(arguments, now_ms);
  if (timing || !arguments.has("--tz")) return timing;
  const auto& old = schedule["timing"];
  if (old["kind"] == "cron") return Timing::by_cron(old["cron"], *arguments.value("--tz"));
  throw invalid_argument("--tz belongs to --cron and --at", "say when anew");
}

}  // namespace

Reply schedule_add(const Arguments& arguments) {
  const Session session(arguments);
  const bool dry_run = arguments.has("--dry-run");
  ScheduleHome home(arguments, session, !dry_run);
  const auto now_ms = home.now_ms();
  const auto timing = timing_flags(arguments, now_ms);
  if (!timing) throw invalid_argument("when is it to fire? Give --cron, --every or --at");
  Document value = {{"timing", Document::parse(timing->json())},
                    {"next", next_of(*timing, now_ms)},
                    {"target", new_target(arguments, session, home.workspace())},
                    {"enabled", !arguments.has("--disabled")},
                    {"by", session.context().author.user}};
  add_name(arguments, value);
  home.judge("schedule.add", value);
  Reply reply;
  if (dry_run) {
    reply = unrecorded(now_ms, true);
    reply.document["schedule"] = shown_times(value);
  } else {
    const auto told = home.tell("schedule.add", value, {{"ask", "schedules"}});
    reply = told_reply(told);
    // A repeated --key finds what was added then, unless it was removed.
    for (const auto& schedule : Document::parse(told.answer)) {
      const bool same = schedule["target"] == value["target"] &&
                        schedule["timing"]["text"] == value["timing"]["text"];
      const bool newest = told.signals.front().recorded && !told.iteration.state.paused;
      if (newest || same) {
        reply.document["schedule"] = shown_times(schedule);
      }
    }
  }
  reply.document["upcoming"] = upcoming(*timing, now_ms);
  for (auto& warning : pair_warnings(arguments.values("--input"))) {
    reply.warnings.push_back(std::move(warning));
  }
  return reply;
}

std::string schedule_add_text(const Document& document, const Style& style) {
  std::string out = document["dryRun"]     ? "would be added"
                    : document["recorded"] ? "added"
                                           : "was added before; nothing changed";
  if (!document["dryRun"] && document.contains("schedule")) {
    out += "  " + schedule_line(document["schedule"], style);
  } else {
    out += "\n";
  }
  for (const auto& time : document["upcoming"]) out += "  at  " + time.get<std::string>() + "\n";
  return out;
}

Reply schedule_edit(const Arguments& arguments) {
  const Session session(arguments);
  ScheduleHome home(arguments, session, false);
  const auto now_ms = home.now_ms();
  const auto schedule = home.named();
  Document value = Document::object();
  add_name(arguments, value);
  const auto timing = edited_timing(arguments, schedule, now_ms);
  if (timing) {
    const auto& last = schedule["lastOccurrence"];
    value["timing"] = Document::parse(timing->json());
    value["next"] = next_of(*timing, last.is_null() ? now_ms : std::max<int64_t>(now_ms, last));
  }
  if (auto target = target_flags(arguments, session); !target.empty()) {
    refuse_foreign(target, schedule["target"]["kind"]);
    if (target.contains("channel")) find_live_channel(home.workspace(), target["channel"]);
    value["target"] = std::move(target);
  }
  if (value.empty()) {
    throw invalid_argument("nothing is to be changed",
                           "--cron, --every, --at, --tz, --name, PROMPT, --channel, "
                           "--command, --entry, --input, --auto-delete");
  }
  Reply reply = home.change("schedule.edit", schedule, value);
  if (timing) reply.document["upcoming"] = upcoming(*timing, now_ms);
  return reply;
}

std::string schedule_edit_text(const Document& document, const Style& style) {
  const std::string verb = document["dryRun"]     ? "would be edited  "
                           : document["recorded"] ? "edited  "
                                                  : "was edited before; nothing changed  ";
  std::string out = verb + schedule_line(document["schedule"], style);
  if (!document.contains("upcoming")) return out;
  for (const auto& time : document["upcoming"]) out += "  at  " + time.get<std::string>() + "\n";
  return out;
}

}  // namespace reprise
