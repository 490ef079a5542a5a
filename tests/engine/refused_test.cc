// What cannot be retried or gone back to: it is said why, and nothing is recorded.
#include <catch2/catch.hpp>

#include "engine/rewind.h"
#include "engine/signal.h"
#include "tests/engine/calls.h"
#include "tests/engine/run_fixture.h"

namespace reprise::test {
namespace {

const std::string kThreeCalls = script(
    "const a = await call('a'); const b = await call('b');"
    "const c = await call('c'); return [a, b, c];");

/// What the refusal of a retry says; empty when it is not refused.
std::string why_useless(TestRun& run) {
  const auto types = run.types();
  try {
    run.retry();
  } catch (const Error& error) {
    CHECK(error.code() == "RETRY_USELESS");
    CHECK(run.types() == types);
    return error.message();
  }
  return {};
}

TEST_CASE("A retry is refused when the same code would fail the same way") {
  World world;
  TestRun run(world, script("await call('a'); throw new Error('bug');"));
  run.iterate();
  CHECK(code_of([&] { run.retry(); }) == "RUN_NOT_FAILED");
  run.post("t1", "1");
  run.iterate();
  const auto types = run.types();
  CHECK(code_of([&] { run.retry(); }) == "RETRY_USELESS");
  CHECK(run.types() == types);
}

const std::string kShellStep = script(
    "const r = await ctx.task(shell, {});"
    "if (!r.success) throw new Error('it did not work'); return 'done';");

TEST_CASE("A retry takes the failure of a shell step back, which its code sees as a value") {
  World world;
  at_every_prefix(world, kShellStep, "{}", [](TestRun& run) {
    run.iterate();
    if (run.status() == "waiting" && run.state().open.at(1).attempt == 1) {
      run.post_error("t1", R"({"message":"no","data":{"exitCode":1}})");
      run.iterate();
    }
    if (run.status() == "failed") run.retry();
    if (!run.state().end) run.post("t1", R"({"success":true})");
    run.iterate();
    CHECK(run.end() == "\"done\"");
  });
}

TEST_CASE("A retry is refused when what failed the run is a result that succeeded") {
  World world;
  TestRun run(world, kShellStep);
  run.iterate();
  run.post("t1", R"({"success":false})");
  run.iterate();
  REQUIRE(run.status() == "failed");
  CHECK(why_useless(run).starts_with("the result that it failed at, of t1, is no error"));
}

TEST_CASE("A retry is refused when the run failed at the start, or where its code was assigned") {
  World world;
  TestRun begun(world, script("throw new Error('at once');"));
  begun.iterate();
  CHECK(why_useless(begun).starts_with("it was no result of an effect that failed the run"));
  TestRun run(world, kThreeCalls);
  run.iterate();
  run.post("t1", "1");
  run.iterate();
  run.assign(script("await call('a'); throw new Error('over the history');"));
  REQUIRE(run.status() == "failed");
  CHECK(why_useless(run).starts_with("it was no result of an effect that failed the run"));
}

TEST_CASE("A rehearsal says what would be, and records nothing") {
  World world;
  TestRun run(world, script("await call('a');"));
  run.iterate();
  run.post_error("t1", R"({"message":"no"})");
  run.iterate();
  const auto types = run.types();
  const auto retried = retry_run(run.dir(), world.context, true);
  CHECK(retried.effect == 1);
  CHECK(retried.attempt == 2);
  CHECK_FALSE(retried.recorded);
  const RewindRequest request{.to = 1, .yes = true, .dry_run = true};
  CHECK_FALSE(rewind_run(run.dir(), world.context, {}, request).recorded);
  CHECK(run.types() == types);
}

TEST_CASE("A rewind to what is not there, or void, or not yet given, is refused") {
  World world;
  TestRun run(world, kThreeCalls);
  run.iterate();
  run.post("t1", "1");
  CHECK(code_of([&] { run.rewind("99"); }) == "SEQ_NOT_FOUND");
  CHECK(code_of([&] { run.rewind("0"); }) == "SEQ_NOT_FOUND");
  CHECK(code_of([&] { run.rewind("t9"); }) == "EFFECT_NOT_FOUND");
  CHECK(code_of([&] { run.rewind("2"); }) == "REWIND_REFUSED");  // a command record
  CHECK(code_of([&] { run.rewind("3"); }) == "REWIND_REFUSED");  // not applied yet
  run.iterate();
  run.post("t2", "2");
  run.iterate();
  run.rewind("3");
  CHECK(code_of([&] { run.rewind("5"); }) == "REWIND_REFUSED");  // its effect is void
  CHECK(run.rewind("t2").repeated);
  run.iterate();
  CHECK(code_of([&] { run.rewind("5"); }) == "REWIND_REFUSED");
}

TEST_CASE("An effect is found by its key, too, also when it is void") {
  World world;
  TestRun run(world, script("await call('a', { key: 'first' }); await call('b', { key: 'k' });"));
  run.iterate();
  run.post("t1", "1");
  run.iterate();
  const auto before = [&](const std::string& key) {
    const RewindRequest request{.before = EffectSelector{0, key}, .yes = true};
    return rewind_run(run.dir(), world.context, {}, request);
  };
  CHECK(code_of([&] { before("none"); }) == "EFFECT_NOT_FOUND");
  CHECK(before("k").recorded);
  CHECK(before("k").repeated);
  run.iterate();
  CHECK(run.pending() == "t3:b");
}

TEST_CASE("Only signals from there on can be dropped") {
  World world;
  TestRun run(world, script("await call('a'); return await ctx.signal('go');"));
  run.iterate();
  run.post("t1", "1");
  run.iterate();
  send_signal(run.dir(), world.context, {"go", parse_value("1", "value"), {}, false});
  run.iterate();
  const auto types = run.types();
  for (const uint64_t seq : {1U, 2U, 3U, 99U}) {
    RewindRequest request;
    request.to = 3;
    request.dropped = {seq};
    request.yes = true;
    CHECK(code_of([&] { rewind_run(run.dir(), world.context, {}, request); }) == "NOT_DROPPABLE");
  }
  CHECK(run.types() == types);
}

TEST_CASE("A signal that was given before cannot be dropped") {
  World world;
  TestRun run(world, script("await ctx.signal('go'); return await call('a');"));
  send_signal(run.dir(), world.context, {"go", parse_value("1", "value"), {}, false});
  run.iterate();
  const auto effect = run.pending();
  run.post(effect.substr(0, effect.find(':')), "1");
  run.iterate();
  const auto types = run.types();
  REQUIRE(types.starts_with("RUN_CREATED SIGNAL_RECEIVED"));
  const RewindRequest request{.to = run.state().applied, .dropped = {2}, .yes = true};
  CHECK(code_of([&] { rewind_run(run.dir(), world.context, {}, request); }) == "NOT_DROPPABLE");
  CHECK(run.types() == types);
}

TEST_CASE("A rewind with code is no repeat of one without it, or to another place") {
  World world;
  TestRun run(world, kThreeCalls);
  for (const auto* effect : {"t1", "t2"}) {
    run.iterate();
    run.post(effect, "1");
  }
  run.iterate();
  const auto code = script("const a = await call('a'); return [a, await call('y')];");
  CHECK(run.rewind("5").recorded);
  CHECK(code_of([&] { run.rewind("5", code); }) == "REWIND_REFUSED");  // not given any more
  run.iterate();
  CHECK(run.rewind("5", code).recorded);
  CHECK(run.rewind("5", code).repeated);
  CHECK(run.rewind("3", code).recorded);
  CHECK(run.rewind("3", code).repeated);
  run.check_replay();
  CHECK(run.pending().ends_with(":y"));
}

}  // namespace
}  // namespace reprise::test
