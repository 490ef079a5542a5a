// Claims: who may work on an effect, until when, and what happens to those who vanish.
#include <catch2/catch.hpp>

#include "engine/commit.h"
#include "engine/stop.h"
#include "engine/task_options.h"
#include "tests/engine/effect_fixture.h"

namespace reprise::test {
namespace {

struct Claiming {
  explicit Claiming(const std::string& asks = "{}") : run(ask(world, asks)) {}
  std::string refusal(const ClaimRequest& request) {
    const auto before = run.types();
    auto code = code_of([&] { claim(run, request); });
    CHECK(run.types() == before);
    return code;
  }
  std::string refusal(const Post& post) {
    const auto before = run.types();
    auto code = code_of([&] { send(run, post); });
    CHECK(run.types() == before);
    return code;
  }
  const OpenEffect& effect(uint64_t id = 1) {
    state = run.state();
    return state.open.at(id);
  }

  World world{{asker()}};
  TestRun run;
  RunState state;
};

TEST_CASE("A claimed effect is nobody else's, and results need the claim's token") {
  Claiming test;
  const auto claimed = claim(test.run, claim_of(1));
  CHECK(claimed.recorded);
  CHECK(claimed.effect.claim->token.starts_with("c3-"));
  CHECK(test.refusal(claim_of(1, "other")) == "EFFECT_CLAIMED");
  CHECK(test.refusal(ok_post(1, "1")) == "EFFECT_CLAIMED");
  CHECK(test.refusal(ok_post(1, "1", "c9-00000000")) == "CLAIM_STALE");
  CHECK(send(test.run, ok_post(1, "1", claimed.effect.claim->token)).recorded);
  CHECK_FALSE(send(test.run, ok_post(1, "1", claimed.effect.claim->token)).recorded);
  CHECK(test.refusal(claim_of(1)) == "EFFECT_CONFLICT");
  CHECK(test.refusal(claim_of(2)) == "EFFECT_NOT_FOUND");
}

TEST_CASE("Who insists posts without the token, and a dry run claims nothing") {
  Claiming test;
  auto dry = claim_of(1);
  dry.dry_run = true;
  CHECK_FALSE(claim(test.run, dry).recorded);
  CHECK_FALSE(test.effect().claim);
  claim(test.run, claim_of(1));
  test.world.context.force = true;
  CHECK(send(test.run, ok_post(1, "1")).recorded);
}

TEST_CASE("The claimer that asks again changes nothing, told by its token or its process") {
  Claiming test;
  test.world.host.processes = {{7, 100}, {8, 100}};
  auto mine = claim_of(1);
  mine.pid = 7;
  const auto first = claim(test.run, mine);
  const auto types = test.run.types();
  const auto again = claim(test.run, mine);
  CHECK_FALSE(again.recorded);
  CHECK(again.effect.claim->token == first.effect.claim->token);
  auto by_token = claim_of(1, "whoever");
  by_token.token = first.effect.claim->token;
  CHECK_FALSE(claim(test.run, by_token).recorded);
  CHECK(test.run.types() == types);
  mine.pid = 8;
  CHECK(test.refusal(mine) == "EFFECT_CLAIMED");
  mine.pid = 9;
  CHECK(test.refusal(mine) == "PROCESS_NOT_FOUND");
}

TEST_CASE("The next claim takes over when the lease is over, in one commit") {
  Claiming test;
  const auto lost = claim(test.run, claim_of(1)).effect.claim->token;
  test.world.clock.advance(kLeaseMs - 1);
  CHECK(test.refusal(claim_of(1, "second")) == "EFFECT_CLAIMED");
  test.world.clock.advance(1);
  const auto commits = test.run.commits();
  const auto second = claim(test.run, claim_of(1, "second"));
  CHECK(test.run.commits() == commits + 1);
  CHECK(test.run.types().ends_with("EFFECT_CLAIMED EFFECT_RETRY_SCHEDULED EFFECT_CLAIMED"));
  CHECK(second.effect.attempt == 2);
  CHECK(test.refusal(ok_post(1, "1", lost)) == "CLAIM_STALE");
  auto late = ok_post(1, "1");
  late.attempt = 1;
  CHECK(test.refusal(late) == "EFFECT_CONFLICT");
  CHECK(send(test.run, ok_post(1, "2", second.effect.claim->token)).recorded);
  CHECK(test.refusal(ok_post(1, "1", lost)) == "CLAIM_STALE");
}

TEST_CASE("What comes after the lease but before anybody saw that it is over is taken") {
  Claiming test;
  const auto token = claim(test.run, claim_of(1)).effect.claim->token;
  test.world.clock.advance(2 * kLeaseMs);
  SECTION("with the token") { CHECK(send(test.run, ok_post(1, "1", token)).recorded); }
  SECTION("without") { CHECK(send(test.run, ok_post(1, "1")).recorded); }
  SECTION("a renewal") {
    CHECK(extend_claim(test.run.dir(), test.world.context, {{1, {}}, token, false}, 0).recorded);
    CHECK(test.refusal(claim_of(1, "second")) == "EFFECT_CLAIMED");
  }
}

TEST_CASE("An iterate gives lost work out again, so many times, at every prefix") {
  World world{{asker()}};
  auto run = at_every_prefix(ask(world, "{}"), [&](TestRun& r) {
    for (uint32_t attempt = 1; attempt <= kLostAttempts; ++attempt) {
      at_second(world, int64_t{61} * attempt);
      r.iterate();
      const auto state = r.state();
      if (state.open.contains(1) && state.open.at(1).attempt == attempt) {
        code_of([&] { claim(r, claim_of(1)); });
      }
    }
    at_second(world, 244);
    r.iterate();
  });
  CHECK(run.end() == R"([{"error":"ClaimLostError"}])");
}

TEST_CASE("The author decides what a lost claim means") {
  Claiming test(R"({"options":{"onLost":"ask"}},{"options":{"onLost":"fail"}})");
  claim(test.run, claim_of(1));
  claim(test.run, claim_of(2));
  test.world.clock.advance(kLeaseMs);
  CHECK(test.refusal(claim_of(1)) == "EFFECT_NOT_AVAILABLE");
  CHECK(test.refusal(claim_of(2)) == "EFFECT_NOT_AVAILABLE");
  test.run.iterate();
  CHECK(test.effect(1).held == "lost");
  CHECK(test.refusal(claim_of(1)) == "EFFECT_HELD");
  send(test.run, ok_post(1, "1"));
  test.run.iterate();
  CHECK(test.run.end() == R"([1,{"error":"ClaimLostError"}])");
}

TEST_CASE("A claimer that died on this machine loses its lease at once") {
  Claiming test;
  test.world.host.processes[7] = 100;
  auto request = claim_of(1);
  request.pid = 7;
  claim(test.run, request);
  test.world.host.processes[7] = 200;  // another process has its number
  SECTION("for the next claimer") {
    CHECK(claim(test.run, claim_of(1, "second")).effect.attempt == 2);
  }
  SECTION("for an iterate") {
    test.run.iterate();
    CHECK(test.effect().attempt == 2);
    CHECK_FALSE(test.effect().claim);
  }
  SECTION("for who has no token") { CHECK(send(test.run, ok_post(1, "1")).recorded); }
  SECTION("not when it is another machine's process") {
    test.world.host.machine = "elsewhere";
    CHECK(test.refusal(claim_of(1, "second")) == "EFFECT_CLAIMED");
  }
}

TEST_CASE("The next effect is the oldest that can be taken") {
  Claiming test(R"({"kind":"breakpoint"},{"kind":"sleep","dueMs":1000000},{},{"kind":"shell"},{})");
  const auto next = [&](const std::string& kind) {
    auto request = claim_of(0);
    request.kind = kind;
    return claim(test.run, request).effect.id;
  };
  CHECK(next("") == 3);
  CHECK(next("agent") == 5);
  CHECK(next("breakpoint") == 1);
  CHECK(next("") == 4);
  CHECK(test.refusal(claim_of(0)) == "NOTHING_TO_CLAIM");
}

TEST_CASE("What ends by itself is nobody's to claim") {
  World world{{asker()}};
  auto run = ask(world, R"({"kind":"sleep","dueMs":50},{"kind":"run"},{})");
  const auto types = run.types();
  for (const uint64_t effect : {1U, 2U}) {
    auto request = claim_of(effect);
    request.wait_ms = kSecondMs;
    CHECK(code_of([&] { claim(run, request); }) == "NOT_CLAIMABLE");
  }
  for (const auto* kind : {"sleep", "run"}) {
    auto request = claim_of(0);
    request.kind = kind;
    CHECK(code_of([&] { claim(run, request); }) == "NOT_CLAIMABLE");
  }
  CHECK(run.types() == types);
  CHECK(world.clock.now_ms() == kStartMs);
  CHECK(claim(run, claim_of(0)).effect.id == 3);
}

TEST_CASE("Who waits gets what becomes free, and gives up in time") {
  Claiming test(R"({"key":"k"})");
  const auto token = claim(test.run, claim_of(1)).effect.claim->token;
  const auto start = test.world.clock.now_ms();
  auto waiting = claim_of(1, "second");
  waiting.wait_ms = 30 * kSecondMs;
  CHECK(test.refusal(waiting) == "EFFECT_CLAIMED");
  CHECK(test.world.clock.now_ms() == start + 30 * kSecondMs);
  test.world.host.while_waiting = [&] {
    test.world.host.while_waiting = nullptr;
    release_claim(test.run.dir(), test.world.context, {{1, {}}, token, false});
  };
  CHECK(claim(test.run, waiting).effect.attempt == 1);
  SECTION("the end of a lease") {
    waiting.worker = "third";
    waiting.wait_ms = 2 * kLeaseMs;
    CHECK(claim(test.run, waiting).effect.attempt == 2);
  }
  SECTION("a result ends the waiting at once") {
    test.world.context.force = true;
    send(test.run, ok_post(1, "1"));
    const auto now = test.world.clock.now_ms();
    waiting.effect = EffectSelector{.id = 0, .key = "k"};
    CHECK(test.refusal(waiting) == "EFFECT_CONFLICT");
    CHECK(test.world.clock.now_ms() == now);
  }
}

TEST_CASE("Nothing is claimed in a run that is paused or has ended") {
  Claiming test;
  {
    auto open = open_run(test.run.dir(), test.world.context, Read::kTail);
    Commit commit(open, commit_time(open, test.world.clock));
    commit.add({.type = RecordType::kRunPaused});
    commit.write();
  }
  CHECK(test.refusal(claim_of(1)) == "RUN_PAUSED");
  CHECK(send(test.run, ok_post(1, "1")).recorded);
  halt_run(test.run.dir(), test.world.context, "enough", false);
  CHECK(test.refusal(claim_of(1)) == "RUN_ENDED");
}

TEST_CASE("A renewal is recorded once in a third of the lease") {
  Claiming test;
  const auto token = claim(test.run, claim_of(1)).effect.claim->token;
  const auto extend = [&](int64_t lease_ms = 0) {
    return extend_claim(test.run.dir(), test.world.context, {{1, {}}, token, false}, lease_ms);
  };
  test.world.clock.advance(kLeaseMs / 3 - 1);
  CHECK_FALSE(extend().recorded);
  test.world.clock.advance(1);
  const auto renewed = extend();
  CHECK(renewed.recorded);
  CHECK(renewed.effect.claim->until_ms == test.world.clock.now_ms() + kLeaseMs);
  CHECK_FALSE(extend().recorded);
  CHECK(extend(2 * kLeaseMs).recorded);
  CHECK_FALSE(extend(2 * kLeaseMs).recorded);
  const auto code = [&](const std::string& other) {
    return code_of([&] {
      extend_claim(test.run.dir(), test.world.context, {{1, {}}, other, false}, 0);
    });
  };
  CHECK(code("c9-00000000") == "CLAIM_STALE");
  CHECK(code("") == "CLAIM_STALE");
}

TEST_CASE("What is given back can be taken again, in the same attempt") {
  Claiming test;
  const auto token = claim(test.run, claim_of(1)).effect.claim->token;
  const auto release = [&](const std::string& shown) {
    return release_claim(test.run.dir(), test.world.context, {{1, {}}, shown, false}).recorded;
  };
  CHECK(code_of([&] { release("c9-00000000"); }) == "CLAIM_STALE");
  CHECK(release(token));
  CHECK_FALSE(release(token));
  CHECK(test.refusal(ok_post(1, "1", token)) == "CLAIM_STALE");
  CHECK(claim(test.run, claim_of(1, "second")).effect.attempt == 1);
  CHECK_FALSE(release(token));
  CHECK(test.effect().claim->worker == "second");
}

TEST_CASE("A step looks only at those effects that something may become of by itself") {
  World world{{asker()}};
  auto run = ask(world, R"({},{"kind":"sleep","dueMs":90000},{"options":{"timeoutMs":80000}},)"
                        R"({"kind":"breakpoint"},{})");
  const auto watched = [&] { return run.state().watched; };
  using Effects = std::set<uint64_t>;
  CHECK(watched() == Effects{2, 3});
  const auto token = claim(run, claim_of(1)).effect.claim->token;
  const auto other = claim(run, claim_of(5)).effect.claim->token;
  CHECK(watched() == Effects{1, 2, 3, 5});
  release_claim(run.dir(), world.context, {{1, {}}, token, false});
  send(run, ok_post(5, "1", other));
  CHECK(watched() == Effects{2, 3});
  send(run, ok_post(3, "1"));
  CHECK(watched() == Effects{2});
  at_second(world, 90);
  run.iterate();
  CHECK(watched().empty());
  CHECK(run.pending() == "t1:t t4:t");
}

TEST_CASE("Progress is its holder's to tell, and told once") {
  Claiming test;
  const auto token = claim(test.run, claim_of(1)).effect.claim->token;
  const auto report = [&](const std::string& value, const std::string& shown) {
    return report_progress(test.run.dir(), test.world.context, {{1, {}}, shown, false},
                           parse_value(value, "progress"))
        .recorded;
  };
  CHECK(code_of([&] { report("1", ""); }) == "EFFECT_CLAIMED");
  CHECK(report(R"({"done":1,"of":2})", token));
  CHECK_FALSE(report(R"({"of":2, "done":1.0})", token));
  const auto large = "\"" + std::string(kInlineValueBytes, 'x') + "\"";
  CHECK(report(large, token));
  JsonReader reader;
  CHECK(load_progress(test.run.dir(), test.effect(), reader) == large);
}

}  // namespace
}  // namespace reprise::test
