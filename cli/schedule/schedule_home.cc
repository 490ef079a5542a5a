#include "cli/schedule/schedule_home.h"

#include <algorithm>
#include <array>

#include "cli/iteration.h"
#include "cli/text.h"
#include "cli/user_values.h"
#include "engine/ask.h"
#include "engine/family.h"
#include "engine/heartbeat/schedule_home.h"
#include "engine/run.h"
#include "journal/clock.h"

namespace reprise {
namespace {

constexpr size_t kUpcoming = 3;
constexpr size_t kScheduleTextWidth = 60;

/// A number; nullopt: a name.
std::optional<uint64_t> schedule_number(const std::string& word) {
  const bool digits = word.find_first_not_of("0123456789") == std::string::npos;
  if (word.empty() || word.size() > 9 || !digits) return std::nullopt;
  return std::stoull(word);
}

constexpr std::array kScheduleTimes = {"at",      "createdAt",      "updatedAt",
                                       "endedAt", "next",           "occurrence",
                                       "anchor",  "lastOccurrence", "deleteAt"};

Signal schedule_signal(const Arguments& arguments, const std::string& name, const Document& value) {
  return {.name = name,
          .value = parse_value(print_json(value), name),
          .key = arguments.value("--key").value_or("")};
}

std::string target_text(const Document& target) {
  const std::string kind = target["kind"];
  const auto text = [&](const char* name) { return target[name].get<std::string>(); };
  if (kind == "message") return "in " + text("channel") + ": " + text("prompt");
  return kind + " " + (kind == "run" ? text("entry") : text("command"));
}

}  // namespace

ScheduleHome::ScheduleHome(const Arguments& arguments, const Session& session, bool writes)
    : x_arguments(arguments), x_session(session), x_workspace(session.workspace(writes)) {}

Document ScheduleHome::ask(const Document& question, Past past) {
  const auto run = find_home_run(x_workspace, schedules_run(simulated()));
  if (!run) return nullptr;
  return Document::parse(reprise::ask(*run->dir, x_session.context(), print_json(question), past));
}

Document ScheduleHome::named() {
  const auto word = x_arguments.positional("SCHEDULE");
  Document question = {{"ask", "schedule"}};
  if (const auto number = schedule_number(word)) {
    question["scheduleId"] = *number;
  } else {
    question["name"] = word;
  }
  parse_value(print_json(question), "SCHEDULE");
  auto found = ask(question);
  if (found.is_object()) return found;
  throw Error(Exit::kNotFound, "SCHEDULE_NOT_FOUND", "there is no schedule " + shown(word, 80),
              "reprise schedule:list shows them");
}

bool ScheduleHome::was_removed() {
  const auto number = schedule_number(x_arguments.positional("SCHEDULE"));
  return number && ask({{"ask", "removed"}, {"scheduleId", *number}}) == true;
}

Reply ScheduleHome::change(const std::string& signal, const Document& schedule, Document value) {
  value["scheduleId"] = schedule["scheduleId"];
  value["by"] = x_session.context().author.user;
  judge(signal, value);
  if (x_arguments.has("--dry-run")) return unchanged(schedule, now_ms(), true);
  const auto told =
      tell(signal, value, {{"ask", "schedule"}, {"scheduleId", schedule["scheduleId"]}});
  Reply reply = told_reply(told);
  const auto after = Document::parse(told.answer);
  reply.document["schedule"] = shown_times(after.is_null() ? schedule : after);
  return reply;
}

void ScheduleHome::judge(const std::string& signal, const Document& value) {
  const auto made = schedule_signal(x_arguments, signal, value);
  const auto run = find_home_run(x_workspace, schedules_run(simulated()));
  if (run) check_signals(*run->dir, x_session.context(), {made});
}

Told ScheduleHome::tell(const std::string& signal, const Document& value,
                        const Document& question) {
  const auto run = open_home_run(x_workspace, x_session.context(), schedules_run(simulated()));
  const Neighbours neighbours(run);
  return tell_among(neighbours.folder(), run.name, *run.dir, x_session.context(),
                    {schedule_signal(x_arguments, signal, value)}, After::kIterate,
                    print_json(question));
}

std::optional<Timing> timing_flags(const Arguments& arguments, int64_t now_ms) {
  const auto cron = arguments.value("--cron");
  const auto every = arguments.value("--every");
  const auto at = arguments.value("--at");
  const int given = static_cast<int>(cron.has_value()) + static_cast<int>(every.has_value()) +
                    static_cast<int>(at.has_value());
  if (given > 1) {
    throw Error(Exit::kUsage, "INVALID_ARGUMENT",
                "--cron, --every and --at are three ways to say "
                "when: give one of them");
  }
  const auto zone = arguments.value("--tz").value_or("UTC");
  if (cron) return Timing::by_cron(*cron, zone);
  if (at) return Timing::once(*at, zone);
  if (!every) return std::nullopt;
  if (arguments.has("--tz")) {
    throw Error(Exit::kUsage, "INVALID_ARGUMENT", "--every counts elapsed time and has no --tz");
  }
  return Timing::by_interval(*every, now_ms);
}

int64_t next_of(const Timing& timing, int64_t after_ms) {
  if (const auto next = timing.next_after(after_ms)) return *next;
  throw Error(Exit::kUsage, "INVALID_ARGUMENT",
              "that time is over (" + timing.text() + "): it is " + format_time(after_ms),
              "choose a later one");
}

Document upcoming(const Timing& timing, int64_t after_ms) {
  Document times = Document::array();
  for (auto next = timing.next_after(after_ms); next && times.size() < kUpcoming;
       next = timing.next_after(*next)) {
    times.push_back(format_time(*next));
  }
  return times;
}

Reply told_reply(const Told& told) {
  Reply reply{.document = new_document(), .warnings = told.iteration.notes};
  reply.document["recorded"] = told.signals.front().recorded;
  reply.document["dryRun"] = false;
  reply.document["at"] = format_time(told.signals.front().at_ms);
  if (told.iteration.state.paused) {
    reply.warnings.push_back("the run " + told.iteration.state.run_id +
                             " is paused, and takes it up after  reprise run:resume " +
                             told.iteration.state.run_id);
  }
  return reply;
}

Reply unrecorded(int64_t now_ms, bool dry_run) {
  Reply reply{.document = new_document()};
  reply.document["recorded"] = false;
  reply.document["dryRun"] = dry_run;
  reply.document["at"] = format_time(now_ms);
  return reply;
}

Reply unchanged(const Document& schedule, int64_t now_ms, bool dry_run) {
  Reply reply = unrecorded(now_ms, dry_run);
  reply.document["schedule"] = shown_times(schedule);
  return reply;
}

Document shown_times(Document answer) {
  if (!answer.is_structured()) return answer;
  for (auto& [name, value] : answer.items()) {
    if (name == "inputs") continue;  // the user's
    const bool time = value.is_number_integer() &&
                      std::ranges::find(kScheduleTimes, name) != kScheduleTimes.end();
    value = time ? Document(format_time(value.get<int64_t>())) : shown_times(std::move(value));
  }
  return answer;
}

std::string schedule_title(const Document& schedule) {
  return schedule.contains("name") ? shown(schedule["name"].get<std::string>(), kScheduleTextWidth)
                                   : schedule["scheduleId"].dump();
}

std::string schedule_line(const Document& schedule, const Style& style,
                          const std::string& stopped) {
  const auto& next = schedule["next"];
  const auto time = next.is_string() ? "next " + next.get<std::string>() : "off";
  return paint(style, Colour::kBold, schedule["scheduleId"].dump()) + "  " +
         (schedule.contains("name") ? schedule_title(schedule) + "  " : "") +
         shown(schedule["timing"]["text"].get<std::string>(), kScheduleTextWidth) + "  " +
         (next.is_string() && !stopped.empty() ? stopped : time) + "  " +
         shown(target_text(schedule["target"]), kScheduleTextWidth) + "\n";
}

}  // namespace reprise
