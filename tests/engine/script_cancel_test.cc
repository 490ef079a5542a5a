// A run:cancel in the journal, given to a script: at every prefix the same end.
#include <catch2/catch.hpp>

#include "engine/commit.h"
#include "engine/run.h"
#include "engine/signal.h"
#include "tests/engine/calls.h"
#include "tests/engine/run_fixture.h"

namespace reprise::test {
namespace {

void cancel_once(TestRun& run) {
  auto open = open_run(run.dir(), run.world().context, Read::kTail);
  if (open.history.state.cancel_seq != 0) return;
  Commit commit(open, commit_time(open, run.world().context.clock));
  commit.add({RecordType::kSignalReceived, 0, 0,
              R"({"name":"reprise.cancel","cancel":true,"value":{"reason":"enough"}})"});
  commit.write();
}

void post_if_open(TestRun& run, const std::string& effect) {
  if (run.pending().find(effect + ":") != std::string::npos) run.post(effect, "0");
}

TEST_CASE("A script that lets a cancellation pass is cancelled, at every prefix") {
  World world;
  const auto run =
      at_every_prefix(world,
                      script("ctx.task(step, 0); ctx.signal('never', { timeoutMs: 9 });"
                             "try { await ctx.task(step, 1); } finally {"
                             "ctx.emit('cleaning'); await ctx.task(step, 2); }"),
                      "{}", [](TestRun& r) {
                        r.iterate();
                        cancel_once(r);
                        r.iterate();
                        post_if_open(r, "t4");
                        r.iterate();
                      });
  CHECK(run.end() == "halted: enough");
  CHECK(run.status() == "cancelled");
  CHECK(run.types() ==
        "RUN_CREATED EFFECT_REQUESTED EFFECT_REQUESTED EFFECT_REQUESTED ITERATED SIGNAL_RECEIVED "
        "EVENT_EMITTED EFFECT_REQUESTED ITERATED EFFECT_RESOLVED RUN_HALTED");
}

TEST_CASE("A script that catches a cancellation and returns is completed, at every prefix") {
  World world;
  const auto run =
      at_every_prefix(world,
                      script("ctx.task(step, 0); try { await ctx.signal('go'); } catch (error) {"
                             "return [error.name, error.reason]; }"),
                      "{}", [](TestRun& r) {
                        r.iterate();
                        cancel_once(r);
                        r.iterate();
                      });
  CHECK(run.end() == R"(["RunCancelledError","enough"])");
  CHECK(run.status() == "completed");
}

TEST_CASE("A result recorded before a cancellation reaches the script before it") {
  World world;
  const auto run = at_every_prefix(
      world, script("await ctx.task(step, 1); ctx.emit('first'); await ctx.task(step, 2);"), "{}",
      [](TestRun& r) {
        r.iterate();
        post_if_open(r, "t1");
        cancel_once(r);
        r.iterate();
      });
  CHECK(run.end() == "halted: enough");
  CHECK(run.types() ==
        "RUN_CREATED EFFECT_REQUESTED EFFECT_RESOLVED SIGNAL_RECEIVED EVENT_EMITTED "
        "EFFECT_REQUESTED RUN_HALTED");
}

TEST_CASE(
    "What authors ask for besides the work is recorded, and no part of what replay compares") {
  World world;
  TestRun run(world,
              script("await ctx.task(step, 1, { timeoutMs: 5, onLost: 'ask', retry: {} });"));
  run.iterate();
  const auto state = run.state();
  CHECK(state.open.at(1).options ==
        R"({"timeoutMs":5,"retry":{"maxAttempts":3,"backoffMs":1000,"factor":2,)"
        R"("maxBackoffMs":100000,"onExhausted":"fail"},"onLost":"ask"})");
  CHECK(state.open.at(1).timeout_ms == 5);
  run.check_replay();
}

}  // namespace
}  // namespace reprise::test
