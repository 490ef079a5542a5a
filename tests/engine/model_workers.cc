#include "tests/engine/model_workers.h"

#include "engine/answer.h"
#include "engine/attempt.h"
#include "engine/lease.h"

namespace reprise::test {

namespace {

bool is_mine(const RunState& state, const GivenClaim& claim) {
  const auto open = state.open.find(claim.attempt.first);
  return open != state.open.end() && open->second.claim && open->second.claim->token == claim.token;
}

}  // namespace

void Workers::act(TestRun& run, Dir& dir, Acknowledged& told) {
  const auto dice = x_dice.below(100);
  if (dice < 45) return claim(run, dir, told);
  if (dice < 65) return use_claim(run, dir, told);
  if (dice < 73) return post_stale(run, dir, told);
  if (dice < 93) return decide(run, dir);
  die_or_return();
}

void Workers::claim(TestRun& run, Dir& dir, Acknowledged& told) {
  const auto state = read_state(dir).state;
  ClaimRequest request{.worker = x_dice.one_of({"ann", "ben"}),
                       .lease_ms = x_dice.one_of({10, 60, 1000})};
  const uint64_t pid = request.worker == "ann" ? 101 : 102;
  if (x_dice.chance(50) && x_world.host.processes.contains(pid)) request.pid = pid;
  if (!state.open.empty() && x_dice.chance(60)) {
    auto open = state.open.begin();
    std::advance(open, static_cast<std::ptrdiff_t>(x_dice.below(state.open.size())));
    request.effect = EffectSelector{.id = open->first, .key = {}};
  }
  Claimed claimed;
  const auto refused =
      refusal_of(run, [&] { claimed = claim_effect(dir, x_world.context, request); });
  if (!refused.empty()) return;
  REQUIRE(claimed.effect.claim);
  CHECK(text_of(claimed.state) == text_of(read_state(run.dir(), true).state));
  CHECK_FALSE((state.paused || state.end));
  const auto& before = state.open.at(claimed.effect.id);
  const bool was_free = !before.claim || due_of(before, claimed.at_ms, x_world.host);
  if (claimed.recorded) {
    CHECK(was_free);
    told.claims.push_back(
        {{claimed.effect.id, claimed.effect.attempt}, claimed.effect.claim->token});
  } else {
    CHECK_FALSE(was_free);
    CHECK(claimed.effect.claim->token == before.claim->token);
  }
}

/// What the holder does, who may have lost the claim long ago.
void Workers::use_claim(TestRun& run, Dir& dir, const Acknowledged& told) {
  if (told.claims.empty()) return;
  const auto& claim = told.claims[x_dice.below(told.claims.size())];
  const auto state = read_state(dir).state;
  const bool mine = is_mine(state, claim);
  const LeaseRequest request{.effect = {claim.attempt.first, {}}, .token = claim.token};
  Claimed done;
  const auto how = x_dice.below(3);
  const auto refused = refusal_of(run, [&] {
    if (how == 0) {
      done = extend_claim(dir, x_world.context, request, x_dice.one_of({0, 20, 500}));
    } else if (how == 1) {
      done = release_claim(dir, x_world.context, request);
    } else {
      const auto report = parse_value(std::to_string(x_dice.below(3)), "progress");
      done = report_progress(dir, x_world.context, request, report);
    }
  });
  const bool released_before = how == 1 && state.open.contains(claim.attempt.first);
  CHECK(refused.empty() == (mine || released_before));
  if (!refused.empty()) return;
  if (!mine) CHECK_FALSE(done.recorded);
  CHECK(text_of(done.state) == text_of(read_state(run.dir(), true).state));
}

/// A result from somebody whose claim is over. Nobody wants it any more.
void Workers::post_stale(TestRun& run, Dir& dir, const Acknowledged& told) {
  if (told.claims.empty()) return;
  const auto& claim = told.claims[x_dice.below(told.claims.size())];
  if (is_mine(read_state(dir).state, claim)) return;
  Post post;
  post.effect.id = claim.attempt.first;
  post.token = claim.token;
  post.value = parse_value("\"too late\"", "value");
  const auto refused = refusal_of(run, [&] { post_result(dir, x_world.context, post); });
  CHECK((refused == "CLAIM_STALE" || refused == "EFFECT_CONFLICT"));
}

/// A person lets a held effect go on, or gives it up.
void Workers::decide(TestRun& run, Dir& dir) {
  const auto state = read_state(dir).state;
  for (const auto& [id, effect] : state.open) {
    if (effect.held.empty()) continue;
    const Answer answer{.effect = {id, {}}, .approved = x_dice.chance(60), .by = "eva"};
    const auto answered = answer_approval(dir, x_world.context, answer);
    CHECK(answered.recorded);
    CHECK(text_of(answered.state) == text_of(read_state(run.dir(), true).state));
    const auto again = answer_approval(dir, x_world.context, answer);
    CHECK_FALSE(again.recorded);
    auto other = answer;
    other.approved = !answer.approved;
    const auto refused = refusal_of(run, [&] { answer_approval(dir, x_world.context, other); });
    CHECK(refused == "EFFECT_CONFLICT");
    return;
  }
}

void Workers::die_or_return() {
  const uint64_t pid = x_dice.one_of({101U, 102U});
  auto& processes = x_world.host.processes;
  if (processes.erase(pid) == 0 || x_dice.chance(30)) processes[pid] = ++x_births;
}

}  // namespace reprise::test
