// Records are kept or dropped whole. A rewind keeps what came from outside (signals, and results of
// requests that stand) and drops what the process decided from the activation on, by cause, not by
// position: a decision may lie behind records that are older than its cause.
#include "engine/effective.h"

#include <algorithm>

#include "engine/run_state.h"
#include "journal/ids.h"

namespace reprise {

namespace {

bool is_end(RecordType type) {
  return type == RecordType::kRunCompleted || type == RecordType::kRunFailed ||
         type == RecordType::kRunHalted;
}

/// Records about one effect that is not being asked for in them.
bool is_about_effect(RecordType type) {
  switch (type) {
    case RecordType::kEffectClaimed:
    case RecordType::kEffectProgress:
    case RecordType::kEffectRetryScheduled:
    case RecordType::kEffectResolved:
    case RecordType::kEffectCancelled:
    case RecordType::kEffectLate:
      return true;
    default:
      return false;
  }
}

bool settles(RecordType type) {
  return type == RecordType::kEffectResolved || type == RecordType::kEffectCancelled;
}

/// Stands and falls with the activation that caused it.
bool is_decided(RecordType type) {
  return is_command(type) || type == RecordType::kEffectWithdrawn;
}

/// What a rewind behind an assignment takes over from after it.
bool comes_from_outside(RecordType type) {
  return is_about_effect(type) || type == RecordType::kSignalReceived ||
         type == RecordType::kRunPaused || type == RecordType::kRunResumed;
}

uint64_t effect_of(const Members& data) {
  return parse_effect_id(data.text("effectId")).value_or(0);
}

std::set<uint64_t> numbers_of(const Members& data, std::string_view name) {
  std::set<uint64_t> numbers;
  if (!data.has(name)) return numbers;
  for (const auto item : array_elements(data.raw(name)))
    numbers.insert(std::stoull(std::string(item)));
  return numbers;
}

}  // namespace

bool rewrites(const RecordView& record, const Members& data) {
  return record.type == RecordType::kRunReopened ||
         (record.type == RecordType::kProcessAssigned && data.has("plan"));
}

void EffectiveFold::add(const RecordView& record) {
  const auto& data = x_reader.members(record.data);
  if (record.type == RecordType::kEffectRequested) {
    x_now.highest_effect = std::max(x_now.highest_effect, effect_of(data));
  }
  if (record.type == RecordType::kRunReopened) {
    const auto activation = data.number("activation");
    if (data.text("mode") == "retry") {
      retry(data);
    } else {
      rewind(activation, numbers_of(data, "dropped"));
    }
    x_now.applied = std::min(x_now.applied, activation - 1);
  } else if (rewrites(record, data)) {
    assign(record);
  }
  x_now.records.push_back(record);
  x_now.applied = std::max({x_now.applied, record.applied, record.cause});
}

/// The new code is given the whole history. A result that was delivered again stays beside the one
/// that came: that one settled its effect.
void EffectiveFold::assign(const RecordView& record) {
  x_before.push_back({record.seq, x_now.applied, x_now.records});
  std::erase_if(x_now.records, [](const RecordView& earlier) { return is_end(earlier.type); });
  x_now.applied = record.seq;
}

/// The end is taken back, and the error that caused it: as it came, and as it was delivered again.
void EffectiveFold::retry(const Members& data) {
  const auto effect = effect_of(data);
  std::erase_if(x_now.records, [&](const RecordView& record) {
    if (is_end(record.type)) return true;
    if (record.type != RecordType::kEffectResolved) return false;
    const auto& result = x_reader.members(record.data);
    if (effect_of(result) != effect) return false;
    if (!result.has("of")) x_now.retried.push_back(record);
    return true;
  });
}

const EffectiveFold::Before* EffectiveFold::assigned_behind(uint64_t activation) const {
  const auto first = std::find_if(x_before.begin(), x_before.end(), [&](const Before& before) {
    return before.assigned > activation;
  });
  return first == x_before.end() ? nullptr : &*first;
}

/// What is asked is asked of the history as it was for the code that decided then.
std::string EffectiveFold::obstacle(uint64_t activation) const {
  const auto* before = assigned_behind(activation);
  const auto& records = before != nullptr ? before->records : x_now.records;
  const auto applied = before != nullptr ? before->applied : x_now.applied;
  bool found = false;
  bool assigned = false;
  for (const auto& record : records) {
    const auto& data = x_reader.members(record.data);
    const bool given =
        settles(record.type) || record.type == RecordType::kSignalReceived || data.has("process");
    const bool here = record.seq == activation;
    found = found || (here && given && !rewrites(record, data));
    assigned = assigned || (here && rewrites(record, data));
  }
  if (assigned) {
    return "gave the run its code, and decided what was asked for then: choose an earlier point, "
           "or "
           "assign other code";
  }
  if (!found) return "is nothing that the process was given, or is void already";
  return activation > applied ? "was not given to the process" : "";
}

void EffectiveFold::go_behind_assignments(uint64_t activation) {
  const auto* behind = assigned_behind(activation);
  if (behind == nullptr) return;
  const auto first = x_before.begin() + (behind - x_before.data());
  auto restored = std::move(first->records);
  x_now.applied = first->applied;
  std::set<uint64_t> known;
  for (const auto& record : restored) known.insert(record.seq);
  for (const auto& record : x_now.records) {
    if (known.contains(record.seq)) continue;
    const auto& data = x_reader.members(record.data);
    if (record.type == RecordType::kEffectRequested && !data.has("adopts")) {
      x_now.voided.push_back(record);
    } else if (comes_from_outside(record.type) && !data.has("of")) {
      restored.push_back(record);
    }
  }
  std::sort(restored.begin(), restored.end(),
            [](const RecordView& a, const RecordView& b) { return a.seq < b.seq; });
  x_now.records = std::move(restored);
  x_before.erase(first, x_before.end());
}

void EffectiveFold::rewind(uint64_t activation, const std::set<uint64_t>& dropped) {
  go_behind_assignments(activation);
  std::vector<RecordView> kept;
  std::set<uint64_t> asked;
  for (const auto& record : x_now.records) {
    const auto& data = x_reader.members(record.data);
    const bool decided_later = is_decided(record.type) && record.cause >= activation;
    if (record.type == RecordType::kEffectRequested && !data.has("adopts")) {
      if (decided_later) {
        x_now.voided.push_back(record);
      } else {
        asked.insert(effect_of(data));
      }
    }
    if (decided_later || is_end(record.type)) continue;
    if (record.type == RecordType::kSignalReceived && dropped.contains(record.seq)) continue;
    if (is_about_effect(record.type)) {
      if (!asked.contains(effect_of(data))) continue;
      if (data.number("adopted") >= activation) continue;  // delivered to a call that is void
    }
    kept.push_back(record);
  }
  x_now.records = std::move(kept);
}

Voided EffectiveFold::would_void(uint64_t activation) const {
  EffectiveFold after;
  after.x_now = x_now;
  after.x_before = x_before;
  after.rewind(activation, {});
  std::set<uint64_t> stays;
  for (const auto& record : after.x_now.records) stays.insert(record.seq);
  Voided voided;
  for (const auto& record : x_now.records) {
    if (stays.contains(record.seq)) continue;
    const auto& data = x_reader.members(record.data);
    if (record.type == RecordType::kEffectRequested && !data.has("adopts")) {
      voided.requests.push_back(record);
    } else if (settles(record.type) && !data.has("of")) {
      voided.resolutions.push_back(record);
    } else if (record.type == RecordType::kEventEmitted && !data.has("adopts")) {
      voided.events.push_back(record);
    } else if (is_end(record.type)) {
      voided.ends.push_back(record);
    } else if (record.type == RecordType::kProcessAssigned) {
      voided.assignments.push_back(record.seq);
    }
  }
  return voided;
}

}  // namespace reprise
