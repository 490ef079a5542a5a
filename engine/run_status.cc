// What a folded state says of the run: where it stands, and when something happens by itself.
#include <algorithm>

#include "engine/run_state.h"

namespace reprise {

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
    case RunStatus::kPaused:
      return "paused";
    case RunStatus::kCancelled:
      return "cancelled";
  }
  return "unknown";
}

RunStatus RunState::status() const {
  if (end) {
    if (end->type == RecordType::kRunCompleted) return RunStatus::kCompleted;
    if (end->type == RecordType::kRunFailed) return RunStatus::kFailed;
    return end->cancelled ? RunStatus::kCancelled : RunStatus::kHalted;
  }
  if (paused) return RunStatus::kPaused;
  if (applied == 0) return RunStatus::kCreated;
  return !unapplied.empty() ? RunStatus::kReady : RunStatus::kWaiting;
}

std::vector<std::string> awaited_signals(const RunState& state) {
  std::vector<std::string> names;
  if (state.awaits.empty()) return names;
  for (const auto name : array_elements(state.awaits)) names.push_back(unquote(name));
  return names;
}

std::optional<int64_t> RunState::next_due_ms(int64_t now_ms) const {
  std::optional<int64_t> next;
  const auto consider = [&](int64_t time) {
    if (time != 0 && (!next || time < *next)) next = time;
  };
  for (const auto id : watched) {
    const auto& effect = open.at(id);
    consider(effect.due_ms);
    consider(effect.deadline_ms().value_or(0));
    if (effect.available_at_ms > std::max(now_ms, head.at_ms)) consider(effect.available_at_ms);
    if (effect.claim) consider(effect.claim->until_ms);
  }
  return next;
}

bool OpenEffect::is_available(int64_t now_ms) const {
  return held.empty() && available_at_ms <= now_ms;
}

std::optional<int64_t> OpenEffect::deadline_ms() const {
  if (timeout_ms == 0 || !held.empty()) return std::nullopt;
  // Looked for in the text: this is asked of every open effect, again and again.
  if (!claim && options.find(R"("timeoutFrom":"claim")") != std::string::npos) return std::nullopt;
  const auto from = claim ? claim->claimed_at_ms : std::max(requested_at_ms, available_at_ms);
  return from + timeout_ms;
}

}  // namespace reprise
