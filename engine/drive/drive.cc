// The loop: whichever run of the family is due is loaded and stays loaded, step by step, until
// another one is due. Nothing is waited for under a lock.
//
// Pauses are counted as they are asked for and not by the clock, which tests and simulated runs may
// stop.
#include "engine/drive/drive.h"

#include <algorithm>
#include <csignal>

#include "engine/claim_record.h"
#include "engine/drive/crew.h"
#include "engine/drive/live_run.h"
#include "engine/drive/member.h"
#include "engine/drive/work.h"
#include "engine/family.h"
#include "journal/ids.h"

namespace reprise {

namespace {

/// Between two looks at what others wrote.
constexpr int64_t kPollMs = 100;
/// A result that cannot be stored is tried again so often, after pauses that double.
constexpr int kStoreAttempts = 10;
/// Reports of work are recorded so often, the last one of each.
constexpr int64_t kProgressMs = 5000;
/// A run that owes something to a relative tries again.
constexpr int64_t kRelativesMs = 1000;

bool may_pass(const Error& error) {
  return error.exit() == Exit::kSystem || error.exit() == Exit::kLocked;
}

class Drive {
 public:
  Drive(const RunFolder& folder, const Context& context, Performers& performers,
        DriveListener& listener, const DriveRequest& request)
      : x_folder(folder),
        x_context(context),
        x_performers(performers),
        x_listener(listener),
        x_request(request),
        x_crew(performers, listener),
        x_claimer(make_claimer(request.worker, request.pid, request.lease_ms, context.host)) {
    add_member(request.run);
  }

  DriveEnd go() {
    for (;;) {
      if (auto* member = next_due()) {
        visit(*member);
      } else if (!wait()) {
        return finish();
      }
    }
  }

 private:
  /// What a step's `take` found out about an effect.
  struct Chosen {
    Work work;
    const ExecutorConfig* executor = nullptr;
  };

  // --- which run

  void add_member(const std::string& name) {
    auto dir = x_folder.runs.open_dir(name);
    if (!dir) return;
    auto& member = *x_members.emplace_back(std::make_unique<Member>());
    member.name = name;
    member.dir = std::move(dir);
  }

  bool is_due(const Member& member) const {
    return member.is_due(x_paused_ms, x_context.clock.now_ms());
  }

  Member* next_due() const {
    const auto found =
        std::ranges::find_if(x_members, [this](const auto& member) { return is_due(*member); });
    return found == x_members.end() ? nullptr : found->get();
  }

  Member& root() const { return *x_members.front(); }

  // --- one run

  void visit(Member& member) {
    try {
      with_live_run(*member.dir, x_context, [&](LiveRun& live) {
        member.live = &live.state();
        stay(member, live);
        member.kept = live.state();
        member.live = nullptr;
      });
      settle(member);
    } catch (const Error& error) {
      member.live = nullptr;
      take_failure(member, error);
    }
  }

  /// As long as no other run is due, and nothing is to be done that cannot be done while it is
  /// loaded.
  void stay(Member& member, LiveRun& live) {
    bool fresh = true;
    for (;;) {
      if (!step(member, live)) return;
      fresh = true;
      while (!is_due(member)) {
        if (live.is_over() || member.unsettled || next_due() != nullptr) return;
        if (take_events(0) && is_due(member)) break;
        if (std::exchange(fresh, false)) live.refresh_files();
        if (!wait()) return;
      }
      if (live.is_over()) return;
    }
  }

  /// False when the run is to be loaded anew first.
  bool step(Member& member, LiveRun& live) {
    // What a run has to do may never end; signals, and what became of work, are heard all the same.
    take_events(0);
    StepRequest request{.working = member.working,
                        .releases = member.releases,
                        .progress = member.progress,
                        .claimer = x_claimer,
                        .room = room()};
    for (const auto& pending : member.results) request.posts.push_back(pending.post);
    std::map<uint64_t, Chosen> chosen;
    request.take = [&](const OpenEffect& effect, const auto& load) {
      return choose(member, effect, load, chosen);
    };
    const auto step = live.step(request);
    member.due = !step;
    if (!step) return false;
    member.failures = 0;
    member.releases.clear();
    if (!member.progress.empty()) member.progress_at_ms = x_paused_ms + kProgressMs;
    member.progress.clear();
    if (step->committed) x_idle_ms = 0;
    report(member, *step);
    for (const auto& effect : step->claimed) start(member, effect, chosen.at(effect.id));
    for (const auto effect : step->lost) x_crew.lose(member, effect, step->at_ms);
    member.starved = step->claimed.size() >= request.room || x_crew.is_ending(member);
    set_times(member, step->at_ms);
    member.unsettled = member.unsettled || owes_relatives(member);
    return true;
  }

  size_t room() const {
    if (x_crew.is_stopping() || has_enough()) return 0;
    return x_request.jobs - std::min(x_request.jobs, x_crew.size());
  }

  bool has_enough() const { return x_request.enough && x_request.enough(root().state()); }

  Take choose(Member& member, const OpenEffect& effect, const std::function<EffectRequest()>& load,
              std::map<uint64_t, Chosen>& chosen) {
    if (!x_request.wants(effect) || member.unmatched.contains(effect.id)) return Take::kNo;
    if (!has_space(member) || x_crew.holds_back(member, effect.id)) return Take::kNo;
    Chosen choice{.work = work_of(x_request.home, member.state(), effect, load())};
    choice.executor = x_performers.choose(choice.work);
    if (choice.executor == nullptr) {
      member.unmatched.insert(effect.id);
      return Take::kNo;
    }
    const bool inside = x_performers.is_inside(*choice.executor);
    chosen.emplace(effect.id, std::move(choice));
    return inside ? Take::kInside : Take::kOutside;
  }

  bool has_space(const Member& member) {
    if (x_request.min_free_bytes == 0) return true;
    x_end.free_bytes = x_performers.free_bytes(member.dir->path());
    x_end.no_space = x_end.free_bytes < x_request.min_free_bytes;
    return !x_end.no_space;
  }

  void start(Member& member, const OpenEffect& effect, Chosen& chosen) {
    chosen.work.run_dir = member.dir->path();
    try {
      x_crew.start(member, effect, chosen.work, *chosen.executor, x_context.clock.now_ms());
    } catch (const Error& error) {
      fail(error);
    }
  }

  void report(Member& member, const Step& step) {
    if (!step.log.empty()) x_listener.logged(member.name, step.log);
    for (const auto& note : step.notes) x_listener.noted(member.name, note);
    auto results = std::exchange(member.results, {});
    for (size_t i = 0; i < results.size(); ++i) {
      auto& [work, post] = results[i];
      const auto& [posted, refusal] = step.results[i];
      if (!refusal) {
        if (posted.recorded) ++x_end.performed;
        x_listener.finished(work, post, posted);
      } else if (refusal->code() == "OUTPUT_INVALID" || refusal->code() == "SCHEMA_INVALID") {
        member.results.push_back({work, post_of_violation(post, *refusal)});
      } else if (has_expired(work.effect, step.at_ms)) {
        x_listener.expired(work, step.at_ms);
      } else {
        x_listener.dropped(work, refusal->message());
      }
    }
  }

  // --- relatives

  void settle(Member& member) {
    const auto& state = member.kept;
    if (!member.unsettled || member.due) return;
    member.unsettled = false;
    member.settled = true;
    std::vector<std::string> notes;
    if (settle_relatives(x_folder, member.name, *member.dir, state, x_context, notes)) {
      member.due = true;
    }
    for (const auto& note : notes) x_listener.noted(member.name, note);
    std::erase_if(member.children, [&](uint64_t effect) { return !state.open.contains(effect); });
    for (const auto id : state.watched) {
      if (state.open.at(id).kind != kRunKind || !member.children.insert(id).second) continue;
      const auto child = child_run_id(state.run_id, id);
      const bool known =
          std::ranges::any_of(x_members, [&](const auto& other) { return other->name == child; });
      if (!known) add_member(child);
    }
    for (const auto& other : x_members) {
      if (other->kept.head.seq != 0) other->due = other->due || has_news(*other);
    }
    if (notes.empty()) return;
    member.unsettled = true;
    member.due = true;
    member.retry_at_ms = x_paused_ms + kRelativesMs;
  }

  // --- waiting

  /// False when there was nothing.
  bool take_events(int64_t at_most_ms) {
    int signal = 0;
    const auto before = x_crew.size();
    const bool news = x_crew.take_events(at_most_ms, signal);
    if (signal == SIGINT || signal == SIGTERM || signal == SIGHUP) {
      if (x_end.signal == 0) x_end.signal = signal;
      stop_work();
    }
    if (x_crew.size() < before) {
      for (const auto& member : x_members) member->due = member->due || member->starved;
    }
    return news;
  }

  /// Waits for whatever comes next. False when nothing will: the drive is over.
  bool wait() {
    tell_idle();
    const auto slice_ms = next_slice();
    if (slice_ms < 0) return false;
    const auto before_ms = x_context.clock.now_ms();
    if (x_crew.empty()) {
      for (const auto& member : x_members)
        tell_of_others(*member, x_request, before_ms, x_context.host, x_listener);
    }
    const bool news = take_events(slice_ms);
    const auto took_ms = x_context.clock.now_ms() - before_ms;
    const auto paused_ms = news ? std::clamp<int64_t>(took_ms, 0, slice_ms) : slice_ms;
    x_paused_ms += paused_ms;
    x_idle_ms = news || !x_crew.empty() ? 0 : x_idle_ms + paused_ms;
    if (x_paused_ms >= x_next_poll_ms) poll();
    return true;
  }

  /// So long until something may happen; negative: nothing will.
  int64_t next_slice() {
    const auto now_ms = x_context.clock.now_ms();
    const bool retries =
        std::ranges::any_of(x_members, [](const auto& member) { return member->has_work(); });
    int64_t slice_ms = kPollMs;
    bool hope = !x_crew.empty() || retries;
    for (const auto& member : x_members) {
      hope = hope || may_go_on(*member, now_ms);
      if (member->retry_at_ms > x_paused_ms) {
        slice_ms = std::min(slice_ms, member->retry_at_ms - x_paused_ms);
        continue;
      }
      for (const auto time_ms : {member->wake_at_ms, member->renew_at_ms}) {
        if (time_ms != 0) slice_ms = std::clamp<int64_t>(time_ms - now_ms, 0, slice_ms);
      }
    }
    return hope ? slice_ms : -1;
  }

  /// Without this drive doing anything, in a time that is worth waiting for.
  bool may_go_on(const Member& member, int64_t now_ms) const {
    if (x_crew.is_stopping() || root().state().end || root().state().simulated) return false;
    if (has_enough()) return false;
    if (x_asking || x_idle_ms < x_request.wait_ms) return true;
    const bool soon = member.wake_at_ms != 0 && member.wake_at_ms <= now_ms + kShortWaitMs;
    return (soon && x_idle_ms < 2 * kShortWaitMs) ||
           others_work(member, x_request, now_ms, x_context.host);
  }

  void poll() {
    x_next_poll_ms = x_paused_ms + kPollMs;
    const auto now_ms = x_context.clock.now_ms();
    for (const auto& member : x_members) {
      if (has_news(*member) || claimer_died(*member, now_ms, x_context.host)) member->due = true;
    }
  }

  void tell_idle() {
    std::vector<DrivenRun> runs;
    for (const auto& member : x_members)
      runs.push_back({member->name, *member->dir, member->state()});
    x_asking = x_listener.idle(runs);
  }

  // --- failures and the end

  void take_failure(Member& member, const Error& error) {
    if (x_folder.runs.open_dir(member.name) == nullptr) return leave(member);
    ++member.failures;
    member.due = true;
    const bool in_hand = !member.results.empty() || !member.working.empty();
    const bool again = may_pass(error) && in_hand && member.failures < kStoreAttempts;
    member.retry_at_ms = x_paused_ms + member.pause_ms();
    if (again) return x_listener.noted(member.name, error.message() + "; it is tried again");
    fail(error);
    give_up(member);
  }

  /// Nothing can be recorded in a run that was deleted.
  void leave(Member& member) {
    fail({Exit::kNotFound, "RUN_NOT_FOUND",
          member.name + " is gone: it was deleted or put away while it was driven",
          "reprise run:list --all shows the runs that there are"});
    for (const auto& result : std::exchange(member.results, {}))
      x_listener.dropped(result.work, "the run is gone");
    member.rest();
  }

  void fail(const Error& error) {
    if (!x_end.failure) x_end.failure = error;
    stop_work();
  }

  void stop_work() {
    if (!x_crew.is_stopping() && !x_crew.empty()) x_listener.stopping(root().name, x_crew.size());
    x_crew.stop();
  }

  /// The run cannot go on; its results are recorded all the same, if that is possible.
  void give_up(Member& member) {
    for (auto& [work, post] : std::exchange(member.results, {})) {
      try {
        const auto posted = post_result(*member.dir, x_context, post);
        if (posted.recorded) ++x_end.performed;
        x_listener.finished(work, post, posted);
      } catch (const Error& error) {
        x_end.unstored.push_back({std::move(work), std::move(post), error.message()});
      }
    }
    member.rest();
  }

  DriveEnd finish() {
    x_end.state = root().kept;
    x_end.at_ms = std::max(x_context.clock.now_ms(), x_end.state.head.at_ms);
    if (!x_end.state.end) x_end.waits = waits_of(x_members, x_end.at_ms);
    return std::move(x_end);
  }

  const RunFolder& x_folder;
  const Context& x_context;
  Performers& x_performers;
  DriveListener& x_listener;
  const DriveRequest& x_request;
  Crew x_crew;
  const Claim x_claimer;
  std::vector<std::unique_ptr<Member>> x_members;  ///< the run, and its open descendants
  bool x_asking = false;
  int64_t x_paused_ms = 0;     ///< in all
  int64_t x_idle_ms = 0;       ///< since something happened
  int64_t x_next_poll_ms = 0;  ///< of x_paused_ms
  DriveEnd x_end;
};

}  // namespace

DriveEnd drive(const RunFolder& folder, const Context& context, Performers& performers,
               DriveListener& listener, const DriveRequest& request) {
  return Drive(folder, context, performers, listener, request).go();
}

}  // namespace reprise
