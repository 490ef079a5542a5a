#include "engine/drive/crew.h"

#include <algorithm>
#include <utility>

#include "engine/drive/work.h"
#include "engine/fence.h"
#include "engine/inspect.h"

namespace reprise {

namespace {

std::string how_it_ended(RunStatus status) {
  switch (status) {
    case RunStatus::kCompleted:
      return "has completed";
    case RunStatus::kFailed:
      return "has failed";
    case RunStatus::kHalted:
      return "was halted";
    default:
      return "was cancelled";
  }
}

/// Why work of the effect is wanted no more.
std::string what_was_decided(const Member& member, uint64_t effect) {
  const auto& state = member.state();
  if (const auto open = state.open.find(effect); open != state.open.end()) {
    const auto& claim = open->second.claim;
    return claim ? "it is " + claim_words(*claim) + " meanwhile" : "its claim is over meanwhile";
  }
  const auto settled = look_up_effect(*member.dir, {.id = effect, .key = {}});
  if (!settled || settled->status == "voided") return "the run was rewound meanwhile";
  if (settled->withdrawn) return "the process waits for it no longer";
  if (settled->status != "cancelled") return "somebody else posted its result meanwhile";
  if (state.end) return "the run " + how_it_ended(state.status()) + " meanwhile";
  return "it was cancelled meanwhile";
}

}  // namespace

void Crew::start(Member& member, const OpenEffect& effect, Work& work,
                 const ExecutorConfig& executor, int64_t now_ms) {
  add_claim(work, effect, now_ms);
  DriveWork told{member.name, effect, executor.name, work.token, now_ms};
  // The work is not done for a result that nobody could judge.
  if (const auto refusal = bad_schema(effect, work.definition)) {
    Post post;
    post.effect.id = effect.id;
    post.token = work.token;
    x_listener.started(told);
    member.results.push_back({std::move(told), post_of_violation(std::move(post), *refusal)});
    return;
  }
  try {
    const auto worker = x_performers.start(work, executor);
    x_listener.started(told);
    member.working.emplace(effect.id, work.token);
    x_running.emplace(worker, Running{&member, std::move(told)});
  } catch (const Error&) {
    member.releases.emplace(effect.id, work.token);
    throw;
  }
}

void Crew::lose(Member& member, uint64_t effect, int64_t now_ms) {
  member.working.erase(effect);
  for (auto& [worker, running] : x_running) {
    if (running.member != &member || running.work.effect.id != effect) continue;
    if (has_expired(running.work.effect, now_ms)) running.expired_at_ms = now_ms;
    if (std::exchange(running.wanted, false)) x_performers.stop(worker);
  }
}

bool Crew::is_ending(const Member& member) const {
  return std::ranges::any_of(x_running, [&](const auto& entry) {
    return entry.second.member == &member && !entry.second.wanted;
  });
}

/// Asked in the middle of a step, too, when what it decides against is not told yet.
bool Crew::holds_back(const Member& member, uint64_t effect) const {
  const auto& open = member.state().open;
  return std::ranges::any_of(x_running, [&](const auto& entry) {
    const Running& running = entry.second;
    const auto other = running.work.effect.id;
    return running.member == &member && (other == effect || !open.contains(other));
  });
}

void Crew::stop() {
  if (std::exchange(x_stopping, true)) return;
  for (const auto& [worker, running] : x_running) x_performers.stop(worker);
}

bool Crew::take_events(int64_t at_most_ms, int& signal) {
  const auto events = x_performers.wait(at_most_ms, signal);
  for (const auto& event : events) take(event);
  return !events.empty();
}

void Crew::take(const WorkerEvent& event) {
  const auto found = x_running.find(event.worker);
  if (found == x_running.end()) return;
  const auto& [member, work, wanted, expired_at_ms] = found->second;
  switch (event.kind) {
    case WorkerEvent::Kind::kOutput:
      return x_listener.output(work, event.is_error, event.bytes);
    case WorkerEvent::Kind::kProgress:
      member->progress.insert_or_assign(work.effect.id, event.json);
      return x_listener.progress(work, event.json);
    case WorkerEvent::Kind::kOutcome:
      take_outcome(found->second, event.outcome);
      x_running.erase(found);
  }
}

void Crew::take_outcome(const Running& running, const Outcome& outcome) {
  const auto& [member, work, wanted, expired_at_ms] = running;
  if (expired_at_ms != 0) return x_listener.expired(work, expired_at_ms);
  if (!wanted) {
    // The process has given it up, or somebody else settled it: the run says what that is worth.
    const bool over = !member->state().open.contains(work.effect.id);
    if (!outcome.ok || !over) {
      return x_listener.dropped(work, what_was_decided(*member, work.effect.id));
    }
    member->results.push_back({work, post_of(work.effect, work.token, outcome)});
    return;
  }
  member->progress.erase(work.effect.id);
  member->working.erase(work.effect.id);
  if (x_stopping && was_stopped(outcome)) {
    x_listener.dropped(work, "the drive was stopped");
    member->releases.emplace(work.effect.id, work.token);
  } else {
    member->results.push_back({work, post_of(work.effect, work.token, outcome)});
  }
}

}  // namespace reprise
