#include "cli/channel/channels.h"

#include "cli/run_documents.h"
#include "engine/inspect.h"
#include "journal/clock.h"
#include "journal/ids.h"

namespace reprise {

namespace {

bool is_time_member(std::string_view name) {
  return name.ends_with("At") || name == "at" || name == "since" || name == "notBefore";
}

}  // namespace

void require_channel(const RunHandle& run) {
  const RunState state = read_state(*run.dir).state;
  JsonReader reader;
  const std::string entry = load_origin(*run.dir, state, reader).entry;
  if (entry == kChannelProcess) return;
  const std::string what =
      entry.empty() ? "a bare run"
                    : "a run of " + (state.process_id.empty() ? entry : state.process_id);
  throw Error(
      Exit::kNotFound, "NOT_A_CHANNEL", run.name + " is no channel, it is " + what,
      "reprise channel:list shows the channels; reprise run:status " + run.name + " this run");
}

RunHandle find_channel(const Session& session, const Arguments& arguments) {
  RunHandle run = session.find_run(arguments.positional("CHANNEL"));
  require_channel(run);
  return run;
}

std::optional<RunHandle> look_up_channel(const Session& session, const std::string& id) {
  const bool elsewhere = id.starts_with('@') || id.find('/') != std::string::npos;
  if (!elsewhere) {
    if (!valid_run_id(id)) {
      throw Error(Exit::kUsage, "INVALID_RUN_ID", "\"" + id + "\" cannot be the id of a channel",
                  "letters, digits, dots, underscores and hyphens, at most 128, the first a letter "
                  "or digit");
    }
    Workspace workspace = session.workspace();
    if (!workspace.exists() || !workspace.runs().open_dir(id)) return std::nullopt;
  }
  RunHandle run = session.find_run(id);
  require_channel(run);
  return run;
}

Document ask_channel(const Session& session, const RunHandle& run, const Document& question,
                     Past past) {
  Document answer = Document::parse(ask(*run.dir, session.context(), print_json(question), past));
  write_times(answer);
  return answer;
}

void write_times(Document& answer) {
  if (answer.is_array()) {
    for (Document& element : answer) write_times(element);
  }
  if (!answer.is_object()) return;
  for (auto member = answer.begin(); member != answer.end();) {
    const bool time = member->is_number_integer() && is_time_member(member.key());
    if (time && *member == 0) {
      member = answer.erase(member);
      continue;
    }
    if (time) *member = format_time(member->get<int64_t>());
    write_times(*member);
    ++member;
  }
}

void mark_running(Document& workers, const RunState& state) {
  if (workers.is_array()) {
    for (Document& worker : workers) mark_running(worker, state);
  }
  const auto id = parse_effect_id(member_text(workers, "effect"));
  if (!id || member_text(workers, "state") != "queued") return;
  const auto effect = state.open.find(*id);
  if (effect != state.open.end() && effect->second.claim) workers["state"] = "running";
}

Document pending_effects(const RunState& state, int64_t now_ms) {
  Document pending = Document::array();
  if (state.end) return pending;
  for (const auto& [id, effect] : state.open) {
    Document& item = pending.emplace_back(effect_identity(state, effect));
    add_standing(item, effect, now_ms);
    if (effect.due_ms > 0) item["until"] = format_time(effect.due_ms);
  }
  return pending;
}

}  // namespace reprise
