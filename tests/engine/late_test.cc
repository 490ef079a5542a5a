// Results of work that its process has given up: kept, once for each attempt, and without effect.
#include <catch2/catch.hpp>

#include "engine/task_log.h"
#include "tests/engine/effect_fixture.h"

namespace reprise::test {
namespace {

const std::string kTwoAsks = R"({},{"options":{"timeoutMs":600000}})";

/// A run that gave t1 up and waits for t2.
struct Withdrawn {
  World world{{asker()}};
  TestRun run = ask(world, kTwoAsks);
  Withdrawn() { withdraw(run, 1); }
};

EffectInfo info(TestRun& run, uint64_t effect) { return find_effect(run.dir(), {effect, {}}); }

TEST_CASE("A late result is recorded, and changes nothing else") {
  Withdrawn test;
  const auto before = test.run.state();
  const auto posted = send(test.run, ok_post(1, R"({"text":"too late"})"));
  CHECK(posted.recorded);
  CHECK(posted.late);
  CHECK(posted.effect.attempt == 1);
  CHECK(test.run.types().ends_with("EFFECT_LATE"));
  const auto after = test.run.state();
  CHECK(after.status() == RunStatus::kWaiting);
  CHECK(after.unapplied.empty());
  CHECK(after.open.size() == before.open.size());
  CHECK(after.counts.resolved_ok == 0);
  CHECK(after.counts.cancelled == before.counts.cancelled);
  CHECK(test.run.iterate().activations == 0);
  send(test.run, ok_post(2, "2"));
  test.run.iterate();
  CHECK(test.run.end() == R"([{"withdrawn":true},2])");
  test.run.check_replay();
}

TEST_CASE("The same late result again is success, another one is a conflict") {
  Withdrawn test;
  CHECK(send(test.run, ok_post(1, R"({"a":1,"b":2})")).recorded);
  const auto types = test.run.types();
  const auto again = send(test.run, ok_post(1, R"({"b":2,"a":1})"));
  CHECK_FALSE(again.recorded);
  CHECK(again.late);
  CHECK(code_of([&] { send(test.run, ok_post(1, "2")); }) == "EFFECT_CONFLICT");
  CHECK(code_of([&] { send(test.run, error_post(1, R"("no")")); }) == "EFFECT_CONFLICT");
  auto named = ok_post(1, R"({"a":1,"b":2})");
  named.attempt = 1;
  CHECK_FALSE(send(test.run, named).recorded);
  named.attempt = 2;
  CHECK(code_of([&] { send(test.run, named); }) == "EFFECT_CONFLICT");
  CHECK(test.run.types() == types);
}

TEST_CASE("A repeat of a late result's key is success whatever it holds") {
  Withdrawn test;
  auto keyed = ok_post(1, "1");
  keyed.post_key = "job-7";
  CHECK(send(test.run, keyed).recorded);
  keyed.value = parse_value("2", "value");
  CHECK_FALSE(send(test.run, keyed).recorded);
}

TEST_CASE("A dry run of a late result records nothing") {
  Withdrawn test;
  const auto types = test.run.types();
  auto dry = ok_post(1, "1");
  dry.dry_run = true;
  const auto posted = send(test.run, dry);
  CHECK(posted.late);
  CHECK_FALSE(posted.recorded);
  CHECK(test.run.types() == types);
}

TEST_CASE("Who had claimed the effect posts with the claim's token, another token is stale") {
  World world{{asker()}};
  auto run = ask(world, kTwoAsks);
  const auto token = claim(run, claim_of(1)).effect.claim->token;
  withdraw(run, 1);
  CHECK(code_of([&] { send(run, ok_post(1, "1", "unknown")); }) == "CLAIM_STALE");
  CHECK(send(run, ok_post(1, "1", token)).late);
  CHECK_FALSE(send(run, ok_post(1, "1", token)).recorded);
  CHECK(code_of([&] { send(run, ok_post(1, "2", token)); }) == "EFFECT_CONFLICT");
}

TEST_CASE("Attempts that ended before the withdrawal keep their outcome") {
  World world{{asker()}};
  auto run = ask(
      world,
      R"({"options":{"retry":{"maxAttempts":3,"backoffMs":0,"factor":1,"maxBackoffMs":0}}},{})");
  send(run, error_post(1, R"({"name":"E","message":"first"})"));
  run.iterate();
  withdraw(run, 1);
  auto first = error_post(1, R"({"name":"E","message":"first"})");
  CHECK_FALSE(send(run, first).late);  // what attempt 1 said
  first = ok_post(1, "1");
  first.attempt = 1;
  CHECK(code_of([&] { send(run, first); }) == "EFFECT_CONFLICT");
  const auto second = send(run, ok_post(1, "2"));
  CHECK(second.late);
  CHECK(second.effect.attempt == 2);
}

TEST_CASE("A late result comes with its logs and what is said besides") {
  Withdrawn test;
  auto post = error_post(1, R"({"name":"E","message":"m","data":{"x":1}})");
  post.standard_output = "out";
  post.metadata = R"({"usage":{"promptTokens":1}})";
  CHECK(send(test.run, post).stdout_ref == task_log_path("t1", 1, "stdout"));
  const auto effect = info(test.run, 1);
  CHECK(effect.status == "cancelled");
  CHECK(effect.withdrawn);
  REQUIRE(effect.late.size() == 1);
  JsonReader reader;
  const auto late = load_late(test.run.dir(), effect.late.front(), reader);
  CHECK(late.error == post.value.text);
  CHECK(late.metadata == post.metadata);
  CHECK(late.stdout_ref == "tasks/t1/stdout.log");
  CHECK(load_result(test.run.dir(), effect, reader).error.empty());
}

TEST_CASE("A large late result lies in a blob") {
  Withdrawn test;
  const std::string large = "\"" + std::string(100'000, 'y') + "\"";
  CHECK(send(test.run, ok_post(1, large)).recorded);
  CHECK_FALSE(send(test.run, ok_post(1, large)).recorded);
  JsonReader reader;
  CHECK(load_late(test.run.dir(), info(test.run, 1).late.front(), reader).value == large);
}

TEST_CASE("Results of what was cancelled or abandoned, and results after the end, are conflicts") {
  World world{{asker()}};
  auto run = ask(world, kTwoAsks);
  withdraw(run, 1);
  send(run, ok_post(2, "2"));
  run.iterate();
  REQUIRE(run.status() == "completed");
  CHECK(code_of([&] { send(run, ok_post(1, "1")); }) == "EFFECT_CONFLICT");
}

TEST_CASE("Late results are where they were at every prefix, in either order") {
  for (const bool late_first : {true, false}) {
    World world{{asker()}};
    const auto whole = at_every_prefix(ask(world, kTwoAsks), [&](TestRun& run) {
      run.iterate();
      if (run.state().end) return;
      withdraw(run, 1);
      if (late_first) send(run, ok_post(1, R"("late")"));
      send(run, ok_post(2, "2"));
      if (!late_first) send(run, ok_post(1, R"("late")"));
      run.iterate();
    });
    CHECK(whole.end() == R"([{"withdrawn":true},2])");
  }
}

TEST_CASE("A rewind to before the withdrawal opens the effect, and the late result stays told") {
  Withdrawn test;
  send(test.run, ok_post(1, "1"));
  test.run.rewind("4");
  CHECK(test.run.state().open.contains(1));
  CHECK(info(test.run, 1).late.size() == 1);
  CHECK(info(test.run, 1).status == "requested");
  test.run.iterate();  // the signal stays: it is given up once more
  CHECK_FALSE(test.run.state().open.contains(1));
  CHECK_FALSE(send(test.run, ok_post(1, "1")).recorded);
  test.run.check_replay();
}

}  // namespace
}  // namespace reprise::test
