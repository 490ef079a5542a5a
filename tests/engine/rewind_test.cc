// Going back: what was decided from a point on is void, what came from outside stays.
#include "engine/rewind.h"

#include <catch2/catch.hpp>

#include "engine/signal.h"
#include "engine/stop.h"
#include "tests/engine/calls.h"
#include "tests/engine/run_fixture.h"

namespace reprise::test {
namespace {

const std::string kThreeSteps = script_with_args(
    "const a = await call('a'); const b = await call('b', { a });"
    "const c = await call('c', { b }); return [a, b, c];");

/// What a fresh reader of the whole journal makes of it is what the command left in the cache.
void check_derived(TestRun& run) {
  run.check_replay();
  auto cached = read_state(run.dir()).state;
  auto folded = read_state(run.dir(), true).state;
  CHECK(cached.open.size() == folded.open.size());
  CHECK(cached.applied == folded.applied);
  CHECK(cached.highest_effect == folded.highest_effect);
  CHECK(cached.unapplied.size() == folded.unapplied.size());
  CHECK(status_name(cached.status()) == status_name(folded.status()));
}

TestRun failed_at_b(World& world) {
  TestRun run(world, kThreeSteps);
  run.iterate();
  run.post("t1", "1");
  run.iterate();
  run.post_error("t2", R"({"name":"Flaky","message":"no"})");
  run.iterate();
  return run;
}

TEST_CASE("A retry opens the effect again whose error failed the run, in a new attempt") {
  World world;
  auto run = failed_at_b(world);
  REQUIRE(run.end() == "failed: Flaky: no");
  const auto reopened = run.retry();
  CHECK(reopened.effect == 2);
  CHECK(reopened.attempt == 2);
  CHECK(run.status() == "waiting");
  CHECK(run.pending() == "t2:b");
  CHECK(run.state().open.at(2).attempt == 2);
  CHECK_FALSE(run.retry().recorded);
  check_derived(run);
  run.post("t2", "2");
  run.iterate();
  run.post("t3", "3");
  run.iterate();
  CHECK(run.end() == "[1,2,3]");
  check_derived(run);
}

TEST_CASE("The error that a retry took back may be posted again, and changes nothing") {
  const std::string no = R"({"name":"Flaky","message":"no"})";
  World world;
  auto run = failed_at_b(world);
  run.retry();
  const auto types = run.types();
  const auto again = run.post_error("t2", no);
  CHECK_FALSE(again.recorded);
  CHECK(again.effect.attempt == 1);
  CHECK(run.types() == types);
  check_derived(run);
  SECTION("what names the new attempt counts for it") {
    Post post{.effect = {2, {}}, .ok = false, .value = parse_value(no, "an error"), .attempt = 2};
    CHECK(post_result(run.dir(), world.context, post).recorded);
    run.iterate();
    REQUIRE(run.end() == "failed: Flaky: no");
    CHECK(run.retry().attempt == 3);
    CHECK_FALSE(run.post_error("t2", no).recorded);
  }
  SECTION("another error counts for it, too") {
    CHECK(run.post_error("t2", R"({"name":"Flaky","message":"yes"})").recorded);
  }
  check_derived(run);
}

TEST_CASE("A retried run goes on the same from every prefix of its journal") {
  World world;
  at_every_prefix(world, kThreeSteps, "{}", [](TestRun& r) {
    r.iterate();
    r.post("t1", "1");
    r.iterate();
    if (r.state().open.contains(2) && r.state().open.at(2).attempt == 1) {
      r.post_error("t2", R"({"name":"Flaky","message":"no"})");
      r.iterate();
    }
    if (r.status() == "failed") r.retry();
    if (!r.state().end && r.state().open.contains(2)) r.post("t2", "2");
    r.iterate();
    if (r.state().open.contains(3)) r.post("t3", "3");
    r.iterate();
  });
}

TEST_CASE("A second failure can be retried again") {
  World world;
  auto run = failed_at_b(world);
  run.retry();
  run.post_error("t2", R"({"name":"Flaky","message":"again"})");
  run.iterate();
  REQUIRE(run.end() == "failed: Flaky: again");
  CHECK(run.retry().attempt == 3);
  run.post("t2", "2");
  run.iterate();
  CHECK(run.pending() == "t3:c");
  check_derived(run);
}

TEST_CASE("A rewind voids what was decided from there on and asks anew with new ids") {
  World world;
  TestRun run(world, kThreeSteps);
  run.iterate();
  run.post("t1", "1");
  run.iterate();
  run.post("t2", "2");
  run.iterate();
  const auto plan = run.rewind("t2", {}, false);
  CHECK_FALSE(plan.recorded);
  REQUIRE(plan.plan.requests.size() == 2);
  CHECK(plan.plan.requests[0].effect == 2);
  CHECK(plan.plan.requests[0].settled);
  CHECK_FALSE(plan.plan.requests[1].settled);
  CHECK(run.pending() == "t3:c");

  CHECK(run.rewind("t2").recorded);
  CHECK(run.status() == "ready");
  CHECK(run.pending().empty());
  check_derived(run);
  run.iterate();
  CHECK(run.pending() == "t4:b");
  check_derived(run);
  run.post("t4", "20");
  run.iterate();
  run.post("t5", "3");
  run.iterate();
  CHECK(run.end() == "[1,20,3]");
  check_derived(run);
}

TEST_CASE("A completed run can be rewound, and goes on the same ever after") {
  World world;
  at_every_prefix(world, kThreeSteps, "{}", [](TestRun& r) {
    for (const auto* effect : {"t1", "t2", "t3"}) {
      r.iterate();
      if (r.state().open.contains(*parse_effect_id(effect))) r.post(effect, "1");
    }
    r.iterate();
    if (r.types().find("RUN_REOPENED") == std::string::npos) r.rewind("t3");
    r.iterate();
    if (r.state().open.contains(4)) r.post("t4", "4");
    r.iterate();
    CHECK(r.end() == "[1,1,4]");
  });
}

TEST_CASE("Signals stay, and results of effects that stand stay queued in order") {
  World world;
  TestRun run(world,
              script_with_args("const slow = call('slow'); const first = await ctx.signal('go');"
                               "const a = await call('a'); const second = await ctx.signal('go');"
                               "return [first, a, second, await slow];"));
  const auto send = [&](const std::string& value) {
    send_signal(run.dir(), world.context, {"go", parse_value(value, "value"), {}, false});
  };
  run.iterate();
  send("1");
  run.iterate();
  run.post("t1", "\"slow\"");
  run.iterate();
  run.post("t2", "\"a\"");
  send("2");
  run.iterate();
  REQUIRE(run.end() == R"([1,"a",2,"slow"])");
  run.rewind("t2");
  check_derived(run);
  run.iterate();
  CHECK(run.pending() == "t3:a");
  run.post("t3", "\"b\"");
  run.iterate();
  CHECK(run.end() == R"([1,"b",2,"slow"])");
  check_derived(run);
}

TEST_CASE("A dropped signal is taken back, too") {
  World world;
  TestRun run(world, script_with_args("return [await ctx.signal('go'), await ctx.signal('go')];"));
  for (const auto* value : {"1", "2"})
    send_signal(run.dir(), world.context, {"go", parse_value(value, "value"), {}, false});
  run.iterate();
  REQUIRE(run.end() == "[1,2]");
  RewindRequest request;
  request.to = 1;
  request.dropped = {2};
  request.yes = true;
  rewind_run(run.dir(), world.context, {}, request);
  run.iterate();
  CHECK(run.end() == "open");
  send_signal(run.dir(), world.context, {"go", parse_value("3", "value"), {}, false});
  run.iterate();
  CHECK(run.end() == "[2,3]");
  check_derived(run);
}

TEST_CASE("Rewinds compose, and an effect's number is never used twice") {
  World world;
  TestRun run(world, kThreeSteps);
  run.iterate();
  run.post("t1", "1");
  run.iterate();
  run.rewind("t1");
  run.iterate();
  CHECK(run.pending() == "t3:a");
  run.post("t3", "1");
  run.iterate();
  run.rewind("t3");
  run.iterate();
  run.rewind("1");
  run.iterate();
  CHECK(run.pending() == "t6:a");
  for (const auto* effect : {"t6", "t7", "t8"}) {
    run.post(effect, "5");
    run.iterate();
  }
  CHECK(run.end() == "[5,5,5]");
  check_derived(run);
}

TEST_CASE("A rewind behind an assignment brings the older code back") {
  World world;
  TestRun run(world, kThreeSteps);
  run.iterate();
  run.post("t1", "1");
  run.iterate();
  run.assign(script_with_args("const a = await call('a'); return ['new', a, await call('z')];"));
  CHECK(run.pending() == "t2:b t4:z");
  run.post("t4", "26");
  run.iterate();
  REQUIRE(run.end() == R"(["new",1,26])");
  const auto plan = run.rewind("t2", {}, false).plan;
  CHECK(plan.assignments.size() == 1);
  run.rewind("3");
  check_derived(run);
  run.iterate();
  CHECK(run.pending() == "t5:b");
  run.post("t5", "2");
  run.iterate();
  run.post("t6", "3");
  run.iterate();
  CHECK(run.end() == "[1,2,3]");
  check_derived(run);
}

TEST_CASE("A rewind can go on with other code, in one commit") {
  World world;
  TestRun run(world, kThreeSteps);
  run.iterate();
  run.post("t1", "1");
  run.iterate();
  run.post("t2", "2");
  run.iterate();
  const auto commits = run.commits();
  run.rewind("t2",
             script_with_args("const a = await call('a'); return [a, await call('y', { a })];"));
  CHECK(run.commits() == commits + 1);
  CHECK(run.pending() == "t5:y");
  check_derived(run);
  run.post("t5", "9");
  run.iterate();
  CHECK(run.end() == "[1,9]");
  check_derived(run);
}

TEST_CASE("A rewind with code can be repeated, and nothing goes back into its assignment") {
  World world;
  TestRun run(world, kThreeSteps);
  run.iterate();
  run.post("t1", "1");
  run.iterate();
  const auto code = script_with_args("const a = await call('a'); return [a, await call('y')];");
  CHECK(run.rewind("t2", code).recorded);
  const auto types = run.types();
  CHECK(run.rewind("t2", code).repeated);
  CHECK(run.types() == types);
  CHECK(code_of([&] { run.rewind("t4"); }) == "REWIND_REFUSED");
}

TEST_CASE("A rewind before an adopted effect goes back to where the new code came to it") {
  World world;
  TestRun run(world, kThreeSteps);
  run.iterate();
  run.post("t1", "1");
  run.iterate();
  run.assign(
      script_with_args("await call('a'); await call('z'); return await call('b', { a: 1 });"));
  run.post("t4", "0");
  run.iterate();
  REQUIRE(run.pending() == "t2:b");
  const auto plan = run.rewind("t2", {}, false).plan;
  CHECK(plan.assignments.empty());
  CHECK(plan.requests.empty());
}

TEST_CASE("A cancel stays when the run is rewound before it, and the plan says so") {
  World world;
  TestRun run(world, kThreeSteps);
  run.iterate();
  cancel_run(run.dir(), world.context, "enough", false);
  run.iterate();
  REQUIRE(run.status() == "cancelled");
  const auto cancel = run.rewind("1", {}, false).plan.kept_cancel;
  CHECK(cancel != 0);
  RewindRequest request;
  request.to = 1;
  request.dropped = {cancel};
  request.yes = true;
  rewind_run(run.dir(), world.context, {}, request);
  run.iterate();
  CHECK(run.status() == "waiting");
  check_derived(run);
}

TEST_CASE("The child of a void effect is to be cancelled, unless it is detached") {
  World world;
  TestRun run(world,
              script_with_args("ctx.run('./c.js', {}); ctx.run('./c.js', {}, { detached: true });"
                               "await ctx.signal('go');"));
  run.iterate();
  run.rewind("t1");
  CHECK(run.state().orphans == std::set<uint64_t>{1});
  check_derived(run);
}

}  // namespace
}  // namespace reprise::test
