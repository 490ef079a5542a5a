#include "engine/run_state.h"

#include <algorithm>
#include <utility>

#include "engine/effective.h"
#include "engine/past_attempt.h"
#include "engine/task_options.h"
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

/// The run that asked for this one with ctx.run.
void read_parent(RunState& state, const Members& data) {
  if (!data.has("parent")) return;
  JsonReader reader;
  const auto& parent = reader.members_of_copy(data.raw("parent"));
  state.parent = parent.text("runId");
  state.parent_effect = effect_number(parent);
  state.parent_identity = parent.text("identity");
}

/// An assignment that names none leaves the run its rules.
void adopt_rules(RunState& state, const Members& data) {
  if (!data.has("rules")) return;
  const auto rules = data.number("rules");
  if (rules > kNewestRules) {
    throw Error(
        Exit::kCorrupt, "JOURNAL_TOO_NEW",
        "run " + state.run_id + " has rules " + std::to_string(rules) +
            ", and this version of reprise knows those up to " + std::to_string(kNewestRules),
        "use the version of reprise that wrote this run, or a newer one (this is " REPRISE_VERSION
        "); nothing is damaged");
  }
  state.rules = static_cast<uint32_t>(rules);
}

/// A run starts with the first record that gives it a process.
bool adopt_process(RunState& state, const RecordView& record, const Members& data) {
  state.process_id = data.text("processId");
  adopt_rules(state, data);
  if (!data.has("process")) return false;
  state.process_place = record.place;
  return !std::exchange(state.has_process, true);
}

/// A child run that nobody waits for any longer is to be cancelled.
void orphan_child(RunState& state, const OpenEffect& effect) {
  if (effect.kind != kRunKind || parse_task_options(effect.options).detached) return;
  state.orphans.insert(effect.id);
}

/// After each change of an open effect.
void watch(RunState& state, const OpenEffect& effect) {
  const bool moves = is_engines_kind(effect.kind) || effect.due_ms != 0 || effect.timeout_ms != 0 ||
                     effect.available_at_ms != 0 || effect.claim;
  if (moves) {
    state.watched.insert(effect.id);
  } else {
    state.watched.erase(effect.id);
  }
}

/// nullopt when it is not open.
std::optional<OpenEffect> take_open(RunState& state, uint64_t id) {
  auto effect = state.open.extract(id);
  if (!effect) return std::nullopt;
  state.watched.erase(id);
  return std::move(effect.mapped());
}

/// Returns whether it was a shell effect.
bool resolve_effect(RunState& state, const Members& data) {
  if (data.has("of")) return data.flag("shell");  // counted when it came
  ++(data.raw("status") == "\"ok\"" ? state.counts.resolved_ok : state.counts.resolved_error);
  const auto effect = take_open(state, effect_number(data));
  if (!effect) return false;
  // A deadline, or a person, may be faster than the child.
  if (!data.text("key").starts_with(kChildPostKey)) orphan_child(state, *effect);
  return effect->kind == "shell";
}

void open_effect(RunState& state, const RecordView& record, const Members& data) {
  if (data.flag("adopts")) return;  // it is known
  auto effect = requested_effect(record, data);
  state.highest_effect = std::max(state.highest_effect, effect.id);
  ++state.counts.requested;
  if (record.cause < state.cancel_seq) {  // asked for before the process knew
    orphan_child(state, effect);
    ++state.counts.cancelled;
    return;
  }
  keep_open(state, std::move(effect));
}

void close_all(RunState& state) {
  for (const auto& [id, effect] : state.open) orphan_child(state, effect);
  state.counts.cancelled += state.open.size();
  state.open.clear();
  state.watched.clear();
}

void end_run(RunState& state, const RecordView& record, const Members& data) {
  state.awaits.clear();
  state.end = RunEnd{record.type, record.seq, record.at_ms, record.place, data.flag("cancelled")};
  if (record.type != RecordType::kRunFailed) close_all(state);  // else its effects stay pending
}

void cancel_effect(RunState& state, const Members& data) {
  if (data.has("of")) return;  // counted when it came
  const auto effect = take_open(state, effect_number(data));
  if (effect) orphan_child(state, *effect);
  ++state.counts.cancelled;
}

/// Its end would change nothing any more.
void withdraw_effect(RunState& state, const Members& data) {
  if (take_open(state, effect_number(data))) ++state.counts.cancelled;
}

void receive_signal(RunState& state, const RecordView& record, const Members& data) {
  if (data.has("key")) {
    state.signal_keys.insert(signal_key_hash(data.text("name"), data.text("key")));
  }
  if (!data.flag("cancel")) return;
  state.cancel_seq = record.seq;
  close_all(state);
}

/// An EFFECT_CLAIMED takes an effect, renews a lease (same token) or gives it back.
void claim_effect(OpenEffect& effect, const RecordView& record, const Members& data) {
  if (data.flag("released")) return effect.claim.reset();
  const auto token = data.text("token");
  const bool renewed = effect.claim && effect.claim->token == token;
  Claim claim;
  claim.token = token;
  claim.worker = data.text("worker");
  claim.claimed_at_ms = renewed ? effect.claim->claimed_at_ms : record.at_ms;
  claim.lease_ms = data.signed_number("leaseMs");
  claim.until_ms = record.at_ms + claim.lease_ms;
  claim.host = data.text("host");
  claim.boot = data.text("boot");
  claim.pid = data.number("pid");
  claim.start_time = data.number("startTime");
  effect.claim = std::move(claim);
}

/// New code goes on with the run; what it was told to give up is closed.
void take_over(RunState& state, const Members& data) {
  state.awaits.clear();
  state.end.reset();
  if (!data.has("abandoned")) return;
  for (const auto id : array_elements(data.raw("abandoned"))) {
    const auto effect = take_open(state, parse_effect_id(unquote(id)).value_or(0));
    if (!effect) continue;
    orphan_child(state, *effect);
    ++state.counts.cancelled;
  }
}

/// The effect whose error result was taken back is tried once more. What else a RUN_REOPENED says
/// is how the records before it are read: see effective.h.
void reopen(RunState& state, const Members& data) {
  state.awaits.clear();
  state.end.reset();
  if (!data.has("effectId")) return;
  const auto found = state.open.find(effect_number(data));
  if (found == state.open.end()) return;
  auto& effect = found->second;
  effect.attempt = static_cast<uint32_t>(data.number("attempt"));
  effect.available_at_ms = 0;
  effect.held.clear();
  effect.claim.reset();
  watch(state, effect);
}

/// The attempt ended and another one follows, or ("approved") a person let a held one go on.
void schedule_retry(OpenEffect& effect, const RecordView& record, const Members& data) {
  effect.held = data.text("held");
  effect.available_at_ms = std::max(data.signed_number("availableAtMs"), record.at_ms);
  effect.claim.reset();
  if (data.text("status") == "approved") return;
  effect.attempt = static_cast<uint32_t>(data.number("attempt")) + 1;
  effect.past = past_attempt(data);
}

void progress_effect(OpenEffect& effect, const RecordView& record, const Members& data) {
  if (data.has("answer")) {
    effect.answers.push_back(record.place);
  } else {
    effect.progress = record.place;
  }
}

/// Records about an effect that is still open; one that came later says nothing any more.
void evolve_effect(RunState& state, const RecordView& record, const Members& data) {
  const auto found = state.open.find(effect_number(data));
  if (found == state.open.end()) return;
  auto& effect = found->second;
  if (record.type == RecordType::kEffectProgress) return progress_effect(effect, record, data);
  if (record.type == RecordType::kEffectClaimed) {
    claim_effect(effect, record, data);
  } else {
    schedule_retry(effect, record, data);
  }
  watch(state, effect);
}

[[noreturn]] void refuse_unsupported(const RecordView& record) {
  throw Error(Exit::kCorrupt, "RECORD_UNSUPPORTED",
              "record " + std::to_string(record.seq) + " is a " +
                  std::string(record_type_name(record.type)) +
                  ", which this version of reprise does not know how to apply",
              "use the version that wrote it, or a later one");
}

}  // namespace

void keep_open(RunState& state, OpenEffect effect) {
  watch(state, effect);
  const auto id = effect.id;
  state.open.insert_or_assign(state.open.end(), id, std::move(effect));  // mostly the last one
}

void advance_applied(RunState& state, uint64_t applied) {
  state.applied = std::max(state.applied, applied);
  auto& waiting = state.unapplied;
  while (!waiting.empty() && waiting.front().seq <= state.applied) waiting.pop_front();
}

OpenEffect requested_effect(const RecordView& record, const Members& data) {
  OpenEffect effect;
  effect.id = effect_number(data);
  effect.task = data.text("taskId");
  effect.kind = data.text("kind");
  effect.label = data.text("label");
  effect.key = data.text("key");
  effect.requested_seq = record.seq;
  effect.requested_at_ms = record.at_ms;
  effect.due_ms = data.signed_number("dueMs");
  effect.options = data.raw("options");
  if (!effect.options.empty()) {
    effect.timeout_ms = parse_task_options(effect.options).timeout_ms;
  }
  effect.place = record.place;
  return effect;
}

void orphan_child(RunState& state, const RecordView& request, const Members& data) {
  orphan_child(state, requested_effect(request, data));
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
      state.identity = data.text("identity");
      state.simulated = data.flag("simulated");
      state.created_at_ms = record.at_ms;
      read_parent(state, data);
      state.created_place = record.place;
      activation = adopt_process(state, record, data);
      break;
    case RecordType::kProcessAssigned:
      activation = adopt_process(state, record, data);
      if (rewrites(record, data)) take_over(state, data);
      break;
    case RecordType::kEffectRequested:
      open_effect(state, record, data);
      break;
    case RecordType::kEffectResolved:
      shell = resolve_effect(state, data);
      activation = true;
      break;
    case RecordType::kEffectCancelled:
      cancel_effect(state, data);
      activation = true;
      break;
    case RecordType::kEffectWithdrawn:
      withdraw_effect(state, data);
      break;
    case RecordType::kSignalReceived:
      receive_signal(state, record, data);
      activation = true;
      break;
    case RecordType::kRunCompleted:
    case RecordType::kRunFailed:
    case RecordType::kRunHalted:
      end_run(state, record, data);
      break;
    case RecordType::kEffectLate:
    case RecordType::kEventEmitted:
      break;
    case RecordType::kIterated:
      if (data.has("awaits")) state.awaits = data.raw("awaits");
      break;
    case RecordType::kEffectClaimed:
    case RecordType::kEffectProgress:
    case RecordType::kEffectRetryScheduled:
      evolve_effect(state, record, data);
      break;
    case RecordType::kRunPaused:
    case RecordType::kRunResumed:
      state.paused = record.type == RecordType::kRunPaused;
      break;
    case RecordType::kRunReopened:
      reopen(state, data);
      break;
    case RecordType::kRunForked:
      refuse_unsupported(record);
  }
  std::optional<ActivationPlace> place;
  if (activation)
    state.unapplied.push_back(
        place.emplace(ActivationPlace{record.seq, record.place, shell, state.rules}));
  advance_applied(state, std::max(record.applied, record.cause));
  state.last_place = record.place;
  state.head.seq = record.seq;
  state.head.at_ms = record.at_ms;
  return place;
}

}  // namespace reprise
