// Stopping from outside: an effect, or the whole run.
#include "engine/stop.h"

#include <catch2/catch.hpp>

#include "journal/error.h"
#include "tests/engine/run_fixture.h"

namespace reprise::test {
namespace {

const std::string kTwoInTurn = R"(import { defineTask } from 'reprise';
const step = defineTask('step', ({ name }) => ({ kind: 'agent', title: name }));
export async function process(inputs, ctx) {
  const a = await ctx.task(step, { name: 'a' }).catch((e) => [e.name, e.effectId, e.reason]);
  return [a, await ctx.task(step, { name: 'b' })];
})";

Stopped cancel_step(TestRun& run, uint64_t id, bool dry_run = false) {
  return cancel_effect(run.dir(), run.world().context, {id, {}}, "not needed", dry_run);
}

TEST_CASE("A cancelled effect throws in its process, at every prefix") {
  World world;
  const auto run = at_every_prefix(world, kTwoInTurn, "{}", [](TestRun& r) {
    r.iterate();
    cancel_step(r, 1);
    r.iterate();
    if (r.status() == "waiting") r.post("t2", "2");
    r.iterate();
  });
  CHECK(run.end() == R"([["EffectCancelledError","t1","not needed"],2])");
}

TEST_CASE("Cancelling again is success, cancelling what has a result is a conflict") {
  World world;
  TestRun run(world, kTwoInTurn);
  run.iterate();
  CHECK_FALSE(cancel_step(run, 1, true).recorded);
  CHECK(run.pending() == "t1:a");
  CHECK(cancel_step(run, 1).recorded);
  const auto types = run.types();
  CHECK_FALSE(cancel_step(run, 1).recorded);
  CHECK(run.types() == types);
  CHECK(code_of([&] { run.post("t1", "1"); }) == "EFFECT_CONFLICT");
  run.iterate();
  run.post("t2", "2");
  CHECK(code_of([&] { cancel_step(run, 2); }) == "EFFECT_CONFLICT");
  CHECK(code_of([&] { cancel_step(run, 7); }) == "EFFECT_NOT_FOUND");
}

TEST_CASE("A halted run abandons what is open and gives its process nothing more") {
  World world;
  TestRun run(world, kTwoInTurn);
  run.iterate();
  run.post("t1", "1");
  const auto halt = [&](bool dry_run) {
    return halt_run(run.dir(), world.context, "wrong branch", dry_run);
  };
  CHECK_FALSE(halt(true).recorded);
  CHECK(run.status() == "ready");
  CHECK(halt(false).recorded);
  CHECK_FALSE(halt(false).recorded);
  CHECK(run.end() == "halted: wrong branch");
  CHECK(run.iterate().activations == 0);
  CHECK(run.types() == "RUN_CREATED EFFECT_REQUESTED EFFECT_RESOLVED RUN_HALTED");
  run.check_replay();
}

TEST_CASE("A halt names the effects that it abandons; posts for them are conflicts") {
  World world;
  TestRun run(world, kTwoInTurn);
  run.iterate();
  halt_run(run.dir(), world.context, "", false);
  JsonReader reader;
  CHECK(load_end(run.dir(), run.state(), reader)->abandoned == std::vector<std::string>{"t1"});
  CHECK(run.dir().list("tasks").empty());
  CHECK(code_of([&] { run.post("t1", "1"); }) == "EFFECT_CONFLICT");
  CHECK_FALSE(cancel_step(run, 1).recorded);
}

TEST_CASE("Who halted a run and who cancelled an effect is recorded") {
  World world;
  TestRun run(world, kTwoInTurn);
  run.iterate();
  cancel_step(run, 1);
  halt_run(run.dir(), world.context, "enough", false);
  JsonReader reader;
  size_t signed_records = 0;
  for_each_event(run.dir(), [&](const RecordView& record) {
    const bool stop =
        record.type == RecordType::kEffectCancelled || record.type == RecordType::kRunHalted;
    if (!stop) return;
    const auto by = std::string(reader.members(record.data).raw("by"));
    CHECK(by == R"({"user":"tester","host":"host","command":"test"})");
    ++signed_records;
  });
  CHECK(signed_records == 2);
}

TEST_CASE("A completed run cannot be halted, a failed one can") {
  World world;
  TestRun done(world, "export async function process() { return 1; }");
  done.iterate();
  CHECK(code_of([&] { halt_run(done.dir(), world.context, "", false); }) == "RUN_ENDED");
  TestRun failed(world, "export async function process() { throw new Error('no'); }");
  failed.iterate();
  CHECK(halt_run(failed.dir(), world.context, "given up", false).recorded);
  CHECK(failed.end() == "halted: given up");
}

}  // namespace
}  // namespace reprise::test
