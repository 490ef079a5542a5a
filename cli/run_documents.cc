#include "cli/run_documents.h"

#include <map>

#include "engine/approval.h"
#include "engine/attempt.h"
#include "engine/children.h"
#include "engine/task_files.h"
#include "journal/clock.h"
#include "journal/ids.h"

namespace reprise {
namespace {

constexpr const char* kSleep = "sleep";

std::map<std::string, uint64_t> count_kinds(const RunState& state) {
  std::map<std::string, uint64_t> kinds;
  for (const auto& [id, effect] : state.open) ++kinds[effect.kind];
  return kinds;
}

std::string waiting_reason(const RunState& state) {
  const auto kinds = count_kinds(state);
  if (kinds.empty()) return "signal-waiting";
  if (kinds.size() > 1) {
    std::string all;
    for (const auto& [kind, count] : kinds) all += (all.empty() ? "" : ",") + kind;
    return "mixed-pending:" + all;
  }
  const std::string& kind = kinds.begin()->first;
  return kind + (kind == "breakpoint" || kind == kSleep ? "-waiting" : "-pending");
}

std::string error_message(const std::string& error) {
  return get_pointer(raw_json(error), "/message").value_or("");
}

void add_end(Document& document, const EndDetails& end) {
  if (!end.output.empty()) document["output"] = raw_json(end.output);
  if (!end.error.empty()) document["error"] = raw_json(end.error);
  if (!end.payload.empty()) document["payload"] = raw_json(end.payload);
  if (!end.abandoned.empty()) document["abandoned"] = end.abandoned;
}

Document log_lines(const std::vector<LogLine>& log) {
  Document lines = Document::array();
  for (const LogLine& line : log) {
    lines.push_back({{"at", format_time(line.at_ms)},
                     {"label", line.label},
                     {"message", raw_json(line.message)}});
  }
  return lines;
}

}  // namespace

Document pending_by_kind(const RunState& state) {
  Document kinds = Document::object();
  for (const auto& [kind, count] : count_kinds(state)) kinds[kind] = count;
  return kinds;
}

std::string status_reason(const RunState& state, const std::optional<EndDetails>& end) {
  switch (state.status()) {
    case RunStatus::kCreated:
      return state.has_process ? "not-iterated" : "no-process";
    case RunStatus::kReady:
      return "ready";
    case RunStatus::kWaiting:
      return waiting_reason(state);
    case RunStatus::kCompleted:
      return "completed";
    case RunStatus::kFailed:
      return "process-error: " + error_message(end ? end->error : "");
    case RunStatus::kPaused:
      return "paused";
    case RunStatus::kHalted:
    case RunStatus::kCancelled:
      return end ? end->reason : "";
  }
  return "";
}

Document effect_identity(const RunState& state, const OpenEffect& effect) {
  Document identity = {
      {"effectId", format_effect_id(effect.id)},
      {"taskId", effect.task},
      {"stepId", step_id(effect.id, effect.key)},
      {"invocationKey", invocation_key(state.process_id, effect.id, effect.key, effect.task)},
      {"kind", effect.kind},
      {"label", effect.label}};
  if (!effect.key.empty()) identity["key"] = effect.key;
  if (effect.kind == kRunKind) identity["childRunId"] = child_run_id(state.run_id, effect.id);
  identity["attempt"] = effect.attempt;
  identity["requestedAt"] = format_time(effect.requested_at_ms);
  return identity;
}

void add_question(Document& document, Dir& run, const OpenEffect& effect, JsonReader& reader) {
  if (effect.kind != "breakpoint") return;
  const std::string title = title_of(run, effect, reader);
  if (title != effect.label) document["question"] = title;
}

std::string title_of(const Document& effect) {
  return effect.contains("question") ? effect["question"].get<std::string>()
                                     : effect["label"].get<std::string>();
}

Document claim_document(const Claim& claim) {
  return {{"worker", claim.worker}, {"until", format_time(claim.until_ms)}};
}

void add_standing(Document& document, const OpenEffect& effect, int64_t now_ms) {
  if (effect.claim) document["claim"] = claim_document(*effect.claim);
  if (!effect.held.empty()) document["held"] = effect.held;
  if (effect.held.empty() && effect.available_at_ms > now_ms) {
    document["availableAt"] = format_time(effect.available_at_ms);
  }
  if (const auto deadline = effect.deadline_ms()) document["deadlineAt"] = format_time(*deadline);
}

void add_standing(Document& document, const OpenEffect& effect, int64_t now_ms, Host& host) {
  add_standing(document, effect, now_ms);
  if (!effect.claim || lives(*effect.claim, now_ms, host)) return;
  document["claim"]["over"] = effect.claim->until_ms <= now_ms ? "lease" : "process";
}

std::string claim_text(const Document& claim) {
  const std::string worker = claim["worker"];
  if (!claim.contains("over")) {
    return "claimed by " + worker + " until " + claim["until"].get<std::string>();
  }
  return claim["over"] == "process"
             ? "free: " + worker + ", who had claimed it, is gone"
             : "free: the claim of " + worker + " ended at " + claim["until"].get<std::string>();
}

Document next_action(Dir& run, const RunState& state, const OpenEffect& effect,
                     JsonReader& reader) {
  const EffectRequest request = load_request(run, effect.place, reader);
  Document action = effect_identity(state, effect);
  action["taskDef"] = raw_json(request.definition);
  action["inputs"] = raw_json(request.inputs);
  if (effect.claim) action["claim"] = claim_document(*effect.claim);
  action["schedulerHints"] = {{"pendingCount", state.open.size()}};
  if (effect.due_ms > 0) action["schedulerHints"]["sleepUntilEpochMs"] = effect.due_ms;
  return action;
}

Document iteration_document(const RunHandle& run, const Iteration& iteration) {
  const RunState& state = iteration.state;
  JsonReader reader;
  const std::optional<EndDetails> end = load_end(*run.dir, state, reader);
  const bool waiting = state.status() == RunStatus::kWaiting;

  Document document = new_document();
  document["status"] = status_name(state.status());
  document["action"] = waiting ? "waiting" : "none";
  document["reason"] = status_reason(state, end);
  document["count"] = end ? 0 : state.open.size();
  const std::optional<int64_t> due_ms = state.next_due_ms(iteration.at_ms);
  if (waiting && due_ms) document["until"] = format_time(*due_ms);
  add_awaited(document, state);
  document["nextActions"] = Document::array();
  if (!end) {
    for (const auto& [id, effect] : state.open) {
      if (!effect.held.empty()) document["held"].push_back(format_effect_id(id));
      if (!effect.is_available(iteration.at_ms)) continue;
      document["nextActions"].push_back(next_action(*run.dir, state, effect, reader));
    }
  }
  if (end) add_end(document, *end);
  if (!iteration.log.empty()) document["log"] = log_lines(iteration.log);
  document["applied"] = iteration.activations;
  document["metadata"] = {{"runId", state.run_id},
                          {"runDir", run.path},
                          {"processId", state.process_id},
                          {"stateVersion", state.head.seq}};
  return document;
}

void add_awaited(Document& document, const RunState& state) {
  if (const auto names = awaited_signals(state); !names.empty()) document["awaits"] = names;
}

Exit status_exit(const RunState& state, bool waits, int64_t now_ms) {
  const RunStatus status = state.status();
  if (status == RunStatus::kFailed || status == RunStatus::kHalted ||
      status == RunStatus::kCancelled) {
    return Exit::kNo;
  }
  if (!waits || status != RunStatus::kWaiting) return Exit::kOk;
  bool only_time = !state.open.empty() && awaited_signals(state).empty();
  for (const auto& [id, effect] : state.open) {
    const bool pauses = effect.held.empty() && effect.available_at_ms > now_ms;
    only_time = only_time && (effect.kind == kSleep || pauses);
  }
  return only_time ? Exit::kWaitsForTime : Exit::kWaitsForInput;
}

Document run_document(const RunHandle& run, const RunState& state) {
  Document document = new_document();
  document["runId"] = state.run_id;
  document["runDir"] = run.path;
  document["processId"] = state.process_id;
  return document;
}

void add_cursor(Document& document, bool more, const std::string& cursor) {
  if (more) document["next"] = cursor;
}

}  // namespace reprise
