#include "engine/drive/member.h"

#include <algorithm>

#include "engine/attempt.h"
#include "engine/fence.h"
#include "journal/ids.h"
#include "journal/witness.h"

namespace reprise {

namespace {

/// A time that is over and still there waits for something else: it is looked at again then.
constexpr int64_t kAgainMs = 1000;
/// After a failure.
constexpr int64_t kFirstRestartPauseMs = 100;
constexpr int64_t kLongestRestartPauseMs = 5000;

bool is_others(const Member& member, const OpenEffect& effect) {
  return effect.claim && !member.working.contains(effect.id) &&
         !member.releases.contains(effect.id);
}

/// Whose claims live, and which the drive wants.
std::vector<const OpenEffect*> work_of_others(const Member& member, const DriveRequest& request,
                                              int64_t now_ms, Host& host) {
  std::vector<const OpenEffect*> work;
  const auto& state = member.state();
  if (is_at_rest(state)) return work;
  for (const auto id : state.watched) {
    const auto& effect = state.open.at(id);
    if (!request.wants(effect) || !is_others(member, effect)) continue;
    if (lives(*effect.claim, now_ms, host)) work.push_back(&effect);
  }
  return work;
}

DriveWait::What what_of(const Member& member, const OpenEffect& effect, int64_t now_ms) {
  if (effect.kind == "breakpoint" || !effect.held.empty()) return DriveWait::What::kPeople;
  if (effect.kind == kSleepKind || effect.available_at_ms > now_ms) return DriveWait::What::kTime;
  if (is_others(member, effect)) return DriveWait::What::kOther;
  const bool unmatched = effect.kind == kRunKind || member.unmatched.contains(effect.id);
  return unmatched ? DriveWait::What::kExecutor : DriveWait::What::kStart;
}

}  // namespace

std::string_view wait_name(DriveWait::What what) {
  switch (what) {
    case DriveWait::What::kPeople:
      return "people";
    case DriveWait::What::kExecutor:
      return "executor";
    case DriveWait::What::kOther:
      return "other";
    case DriveWait::What::kStart:
      return "start";
    case DriveWait::What::kTime:
      return "time";
    case DriveWait::What::kSignal:
      return "signal";
    case DriveWait::What::kResume:
      return "resume";
  }
  return "";
}

bool Member::is_due(int64_t paused_ms, int64_t now_ms) const {
  if (retry_at_ms > paused_ms) return false;
  const auto passed = [&](int64_t time_ms) { return time_ms != 0 && time_ms <= now_ms; };
  const bool reports = !progress.empty() && progress_at_ms <= paused_ms;
  return has_work() || reports || passed(wake_at_ms) || passed(renew_at_ms);
}

int64_t Member::pause_ms() const {
  return std::min(kFirstRestartPauseMs << std::min(failures - 1, 20), kLongestRestartPauseMs);
}

void Member::rest() {
  releases.clear();
  progress.clear();
  due = false;
  wake_at_ms = renew_at_ms = 0;
}

bool is_at_rest(const RunState& state) { return state.end || state.paused; }

bool owes_relatives(const Member& member) {
  const auto& state = member.state();
  if (!state.parent.empty() && (state.end || !member.settled)) return true;
  if (state.end) return !state.orphans.empty();
  const auto& known = member.children;
  const bool orphaned =
      std::ranges::any_of(state.orphans, [&](uint64_t effect) { return known.contains(effect); });
  return orphaned || std::ranges::any_of(state.watched, [&](uint64_t id) {
           const auto& kind = state.open.at(id).kind;
           return kind == kRunSignalKind || (kind == kRunKind && !known.contains(id));
         });
}

void set_times(Member& member, int64_t at_ms) {
  const auto& state = member.state();
  member.wake_at_ms = 0;
  member.renew_at_ms = 0;
  for (const auto& [id, token] : member.working) {
    const auto effect = state.open.find(id);
    if (effect == state.open.end() || !effect->second.claim) continue;
    const auto& claim = *effect->second.claim;
    const auto renew_at_ms = claim.until_ms - claim.lease_ms + claim.lease_ms / 3;
    if (member.renew_at_ms == 0 || renew_at_ms < member.renew_at_ms) {
      member.renew_at_ms = renew_at_ms;
    }
  }
  if (is_at_rest(state)) return;
  if (const auto due = state.next_due_ms(at_ms)) {
    member.wake_at_ms = *due > at_ms ? *due : at_ms + kAgainMs;
  }
}

// A writer moves the witness; one who died before that is found by the next step.
bool has_news(const Member& member) {
  const auto witness = read_witness(*member.dir);
  return !witness || witness->head.seq != member.state().head.seq;
}

bool claimer_died(const Member& member, int64_t now_ms, Host& host) {
  if (is_at_rest(member.state())) return false;
  const auto& state = member.state();
  return std::ranges::any_of(state.watched, [&](uint64_t id) {
    const auto& effect = state.open.at(id);
    return is_others(member, effect) && !lives(*effect.claim, now_ms, host);
  });
}

bool others_work(const Member& member, const DriveRequest& request, int64_t now_ms, Host& host) {
  return !work_of_others(member, request, now_ms, host).empty();
}

void tell_of_others(Member& member, const DriveRequest& request, int64_t now_ms, Host& host,
                    DriveListener& listener) {
  for (const auto* effect : work_of_others(member, request, now_ms, host)) {
    if (!member.awaited.insert(effect->claim->token).second) continue;
    listener.noted(member.name, format_effect_id(effect->id) + " is " +
                                    claim_words(*effect->claim) + "; that is waited for");
  }
}

std::vector<DriveWait> waits_of(const Member& member, int64_t now_ms) {
  const auto& state = member.state();
  std::vector<DriveWait> waits;
  if (state.end) return waits;
  const auto& run = member.name;
  if (state.paused) return {{DriveWait::What::kResume, run, std::nullopt, {}}};
  for (const auto& [id, effect] : state.open) {
    if (member.children.contains(id)) continue;
    waits.push_back({what_of(member, effect, now_ms), run, effect, {}});
  }
  auto signals = awaited_signals(state);
  if (state.open.empty() || !signals.empty()) {
    waits.push_back({DriveWait::What::kSignal, run, std::nullopt, std::move(signals)});
  }
  return waits;
}

std::vector<DriveWait> waits_of(const std::vector<std::unique_ptr<Member>>& members,
                                int64_t now_ms) {
  std::vector<DriveWait> all;
  for (const auto& member : members) {
    for (auto& wait : waits_of(*member, now_ms)) all.push_back(std::move(wait));
  }
  return all;
}

}  // namespace reprise
