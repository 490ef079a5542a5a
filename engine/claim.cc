// Whether an effect can be taken is judged twice when the claimer waits: without the lock, to see
// whether it is worth taking, and under it.
#include "engine/claim.h"

#include <algorithm>

#include "engine/attempt.h"
#include "engine/claim_record.h"
#include "engine/commit.h"
#include "engine/fence.h"
#include "engine/inspect.h"
#include "engine/run.h"
#include "journal/error.h"
#include "journal/ids.h"

namespace reprise {

namespace {

constexpr int64_t kFirstClaimPauseMs = 10;
constexpr int64_t kLongestClaimPauseMs = 1000;

/// What a claim finds.
struct ClaimJudgement {
  std::optional<uint64_t> effect;  ///< can be taken
  bool mine = false;               ///< is taken, by this claimer
  std::optional<Error> refusal;
  bool for_good = false;  ///< waiting does not help
};

ClaimJudgement refuse_claim(std::string code, std::string message, std::string hint,
                            bool for_good = false) {
  ClaimJudgement judgement;
  judgement.refusal.emplace(Exit::kConflict, std::move(code), std::move(message), std::move(hint));
  judgement.for_good = for_good;
  return judgement;
}

ClaimJudgement refuse_engines(const std::string& what, std::string_view kind) {
  const bool run = kind == kRunKind;
  return refuse_claim(
      "NOT_CLAIMABLE",
      what + (run ? " waits for the end of a child run" : " waits for its time") +
          ": there is no work to claim",
      run ? "work on what the child run asks for" : "reprise run:iterate when it is due", true);
}

class Judge {
 public:
  Judge(const ClaimRequest& request, const Claim& claimer, Dir& run, const RunState& state,
        int64_t now_ms, Host& host)
      : x_request(request),
        x_claimer(claimer),
        x_run(run),
        x_state(state),
        x_now(now_ms),
        x_host(host) {}

  ClaimJudgement judge() const {
    if (x_state.end) {
      return refuse_claim("RUN_ENDED", "run " + x_state.run_id + " has ended",
                          "reprise run:status " + x_state.run_id + " shows how", true);
    }
    if (x_state.paused) {
      return refuse_claim("RUN_PAUSED", "run " + x_state.run_id + " is paused: nothing new starts",
                          "reprise run:resume " + x_state.run_id + " lets it go on");
    }
    if (is_engines_kind(x_request.kind))
      return refuse_engines("an effect of kind " + x_request.kind, x_request.kind);
    if (!x_request.effect) return judge_next();
    const auto* effect = find_open(x_state, *x_request.effect);
    return effect != nullptr ? judge_one(*effect) : judge_absent();
  }

 private:
  ClaimJudgement judge_next() const {
    for (const auto& [id, effect] : x_state.open) {
      if (!is_wanted(effect)) continue;
      auto judgement = judge_one(effect);
      if (judgement.effect && !judgement.mine) return judgement;
    }
    ClaimJudgement nothing;
    const auto kind = x_request.kind.empty() ? std::string() : " of kind " + x_request.kind;
    nothing.refusal.emplace(
        Exit::kWaitsForInput, "NOTHING_TO_CLAIM",
        "run " + x_state.run_id + " has no effect" + kind + " that can be taken now",
        "wait for one with --wait-for 5m");
    return nothing;
  }

  bool is_wanted(const OpenEffect& effect) const {
    if (!x_request.kind.empty()) return effect.kind == x_request.kind;
    return effect.kind != "breakpoint" && !is_engines_kind(effect.kind);
  }

  /// Not open: settled, or not requested yet.
  ClaimJudgement judge_absent() const {
    const auto& selector = *x_request.effect;
    if (const auto settled = look_up_effect(x_run, selector)) {
      const auto id = format_effect_id(settled->request.id);
      return refuse_claim(
          "EFFECT_CONFLICT",
          id + (settled->status == "cancelled" ? " was cancelled" : " has a result"),
          "reprise task:show " + x_state.run_id + " " + id + " shows it", true);
    }
    ClaimJudgement absent;
    absent.refusal = no_such_effect(selector);
    return absent;
  }

  ClaimJudgement judge_one(const OpenEffect& effect) const {
    const auto id = format_effect_id(effect.id);
    if (is_engines_kind(effect.kind)) return refuse_engines(id, effect.kind);
    const auto due = due_of(effect, x_now, x_host);
    if (!due && effect.claim) {
      if (is_mine(*effect.claim)) return {.effect = effect.id, .mine = true};
      return refuse_claim("EFFECT_CLAIMED", id + " is " + claim_words(*effect.claim),
                          "wait until it is free with --wait-for 5m, or take another one");
    }
    if (!effect.held.empty()) {
      return refuse_claim(
          "EFFECT_HELD",
          id + " waits for a person: " +
              (effect.held == "lost" ? "its claim was lost" : "its attempts ran out"),
          "reprise approval:approve " + x_state.run_id + " " + id + " lets it go on");
    }
    if (effect.available_at_ms > x_now) {
      return refuse_claim("EFFECT_NOT_AVAILABLE",
                          "attempt " + std::to_string(effect.attempt) + " of " + id +
                              " begins at " + format_time(effect.available_at_ms),
                          "wait with --wait-for 5m");
    }
    if (due && !follows_at_once(effect, *due)) {
      return refuse_claim("EFFECT_NOT_AVAILABLE",
                          "attempt " + std::to_string(effect.attempt) + " of " + id + " is over",
                          "reprise run:iterate " + x_state.run_id + " decides what follows");
    }
    return {.effect = effect.id};
  }

  bool follows_at_once(const OpenEffect& effect, const DueEffect& due) const {
    if (due.what == DueEffect::What::kSleep || due.what == DueEffect::What::kExpiry) return false;
    const auto next = after_due(effect, due, x_now);
    return next.again && next.held.empty() && next.available_at_ms <= x_now;
  }

  bool is_mine(const Claim& claim) const {
    if (!x_request.token.empty()) return claim.token == x_request.token;
    return x_claimer.pid != 0 && claim.worker == x_claimer.worker && claim.pid == x_claimer.pid &&
           claim.start_time == x_claimer.start_time && claim.host == x_claimer.host &&
           claim.boot == x_claimer.boot;
  }

  const ClaimRequest& x_request;
  const Claim& x_claimer;
  Dir& x_run;
  const RunState& x_state;
  const int64_t x_now;
  Host& x_host;
};

/// Under the lock. The refusal is in `judgement`.
std::optional<Claimed> try_claim(Dir& run, const Context& context, const ClaimRequest& request,
                                 Claim claim, ClaimJudgement& judgement) {
  auto open = open_run(run, context, Read::kTail);
  auto& state = open.history.state;
  const auto now_ms = commit_time(open, context.clock);
  judgement = Judge(request, claim, run, state, now_ms, context.host).judge();
  if (!judgement.effect) return std::nullopt;
  const auto& effect = state.open.at(*judgement.effect);
  Claimed result{.recorded = !judgement.mine && !request.dry_run, .at_ms = now_ms};
  if (result.recorded) {
    Commit commit(open, now_ms);
    if (const auto due = due_of(effect, now_ms, context.host)) {
      commit.add(due_record(effect, *due, now_ms));
    }
    claim.token = make_token(state.head.seq + 1, context.random);
    commit.add(claim_record(effect, claim, context.author));
    commit.write();
    write_derived(result.notes, [&] { refresh_state(run, open, nullptr, false); });
  }
  result.effect = effect;
  result.state = std::move(state);
  return result;
}

}  // namespace

Claimed claim_effect(Dir& run, const Context& context, const ClaimRequest& request) {
  const auto claimer = make_claimer(request.worker, request.pid, request.lease_ms, context.host);
  ClaimJudgement judgement;
  int64_t waited_ms = 0;
  for (int64_t pause_ms = kFirstClaimPauseMs;;
       pause_ms = std::min(2 * pause_ms, kLongestClaimPauseMs)) {
    const bool worth = waited_ms == 0 || [&] {
      const auto state = read_state(run).state;
      const auto now_ms = std::max(context.clock.now_ms(), state.head.at_ms);
      judgement = Judge(request, claimer, run, state, now_ms, context.host).judge();
      return judgement.effect.has_value();
    }();
    if (worth) {
      if (auto claimed = try_claim(run, context, request, claimer, judgement)) {
        return std::move(*claimed);
      }
    }
    if (judgement.for_good || waited_ms >= request.wait_ms) throw Error(*judgement.refusal);
    pause_ms = std::min(pause_ms, request.wait_ms - waited_ms);
    context.host.pause(pause_ms);
    waited_ms += pause_ms;
  }
}

}  // namespace reprise
