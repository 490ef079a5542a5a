#include "engine/run_state.h"

#include <algorithm>
#include <utility>

#include "journal/error.h"
#include "journal/hash.h"
#include "journal/ids.h"

namespace reprise {

namespace {

uint64_t effect_number(const Members& data) {
  const auto number = parse_effect_id(data.text("effectId"));
  if (!number) {
    throw Error(Exit::kCorrupt, "RECORD_MALFORMED",
                "a record names no effect: " + data.text("effectId"));
  }
  return *number;
}

/// A run starts with the first record that gives it a process.
bool adopt_process(RunState& state, const RecordView& record, const Members& data) {
  state.process_id = data.text("processId");
  if (!data.has("process")) return false;
  state.process_place = record.place;
  return !std::exchange(state.has_process, true);
}

void open_effect(RunState& state, const RecordView& record, const Members& data) {
  OpenEffect effect;
  effect.id = effect_number(data);
  effect.task = data.text("taskId");
  effect.kind = data.text("kind");
  effect.label = data.text("label");
  effect.key = data.text("key");
  effect.requested_seq = record.seq;
  effect.requested_at_ms = record.at_ms;
  effect.due_ms = data.signed_number("dueMs");
  effect.place = record.place;
  state.highest_effect = std::max(state.highest_effect, effect.id);
  ++state.counts.requested;
  state.open.insert_or_assign(effect.id, std::move(effect));
}

/// Returns whether it was a shell effect.
bool resolve_effect(RunState& state, const Members& data) {
  ++(data.raw("status") == "\"ok\"" ? state.counts.resolved_ok : state.counts.resolved_error);
  const auto effect = state.open.extract(effect_number(data));
  return effect && effect.mapped().kind == "shell";
}

void end_run(RunState& state, const RecordView& record) {
  state.end = RunEnd{record.type, record.seq, record.at_ms, record.place};
  if (record.type == RecordType::kRunFailed) return;  // its effects stay pending
  state.counts.cancelled += state.open.size();
  state.open.clear();
}

[[noreturn]] void refuse_unsupported(const RecordView& record) {
  throw Error(Exit::kCorrupt, "RECORD_UNSUPPORTED",
              "record " + std::to_string(record.seq) + " is a " +
                  std::string(record_type_name(record.type)) +
                  ", which this version of reprise does not know how to apply",
              "use the version that wrote it, or a later one");
}

}  // namespace

std::string_view status_name(RunStatus status) {
  switch (status) {
    case RunStatus::kCreated:
      return "created";
    case RunStatus::kReady:
      return "ready";
    case RunStatus::kWaiting:
      return "waiting";
    case RunStatus::kCompleted:
      return "completed";
    case RunStatus::kFailed:
      return "failed";
    case RunStatus::kHalted:
      return "halted";
  }
  return "unknown";
}

RunStatus RunState::status() const {
  if (end) {
    if (end->type == RecordType::kRunCompleted) return RunStatus::kCompleted;
    return end->type == RecordType::kRunFailed ? RunStatus::kFailed : RunStatus::kHalted;
  }
  if (applied == 0) return RunStatus::kCreated;
  return !unapplied.empty() ? RunStatus::kReady : RunStatus::kWaiting;
}

std::optional<int64_t> RunState::next_due_ms() const {
  std::optional<int64_t> next;
  for (const auto& [id, effect] : open) {
    if (effect.due_ms != 0 && (!next || effect.due_ms < *next)) next = effect.due_ms;
  }
  return next;
}

void advance_applied(RunState& state, uint64_t applied) {
  state.applied = std::max(state.applied, applied);
  auto& waiting = state.unapplied;
  while (!waiting.empty() && waiting.front().seq <= state.applied) waiting.pop_front();
}

uint64_t signal_key_hash(std::string_view name, std::string_view key) {
  return hash64(std::string(name).append(1, '\0').append(key));
}

bool is_command(RecordType type) {
  switch (type) {
    case RecordType::kEffectRequested:
    case RecordType::kEventEmitted:
    case RecordType::kRunCompleted:
    case RecordType::kRunFailed:
    case RecordType::kRunHalted:
      return true;
    default:
      return false;
  }
}

std::optional<ActivationPlace> evolve(RunState& state, const RecordView& record,
                                      const Members& data) {
  bool activation = false;
  bool shell = false;
  switch (record.type) {
    case RecordType::kRunCreated:
      state.run_id = data.text("runId");
      state.simulated = data.flag("simulated");
      state.created_at_ms = record.at_ms;
      state.created_place = record.place;
      activation = adopt_process(state, record, data);
      break;
    case RecordType::kProcessAssigned:
      activation = adopt_process(state, record, data);
      break;
    case RecordType::kEffectRequested:
      open_effect(state, record, data);
      break;
    case RecordType::kEffectResolved:
      shell = resolve_effect(state, data);
      activation = true;
      break;
    case RecordType::kEffectCancelled:
      state.open.erase(effect_number(data));
      ++state.counts.cancelled;
      activation = true;
      break;
    case RecordType::kSignalReceived:
      if (data.has("key")) {
        state.signal_keys.insert(signal_key_hash(data.text("name"), data.text("key")));
      }
      activation = true;
      break;
    case RecordType::kRunCompleted:
    case RecordType::kRunFailed:
    case RecordType::kRunHalted:
      end_run(state, record);
      break;
    case RecordType::kEventEmitted:
    case RecordType::kIterated:
      break;
    case RecordType::kEffectClaimed:
    case RecordType::kEffectProgress:
    case RecordType::kEffectRetryScheduled:
    case RecordType::kRunReopened:
    case RecordType::kRunForked:
      refuse_unsupported(record);
  }
  std::optional<ActivationPlace> place;
  if (activation)
    state.unapplied.push_back(place.emplace(ActivationPlace{record.seq, record.place, shell}));
  advance_applied(state, std::max(record.applied, record.cause));
  state.last_place = record.place;
  state.head.seq = record.seq;
  state.head.at_ms = record.at_ms;
  return place;
}

}  // namespace reprise
