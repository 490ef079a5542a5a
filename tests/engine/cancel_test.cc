// Pausing and cancelling a run.
#include <catch2/catch.hpp>

#include "engine/signal.h"
#include "engine/stop.h"
#include "processes/checklist/checklist.h"
#include "tests/engine/family_process.h"
#include "tests/engine/run_fixture.h"

namespace reprise::test {
namespace {

const std::string kWork = R"({"ask":[{"kind":"agent"},{"kind":"shell"}]})";
const std::string kCleaning = R"({"cleanUp":true,"ask":[{"kind":"agent"},{"kind":"shell"}]})";

Stopped cancel(TestRun& run, bool dry_run = false) {
  return cancel_run(run.dir(), run.world().context, "enough", dry_run);
}
Stopped pause(TestRun& run) { return pause_run(run.dir(), run.world().context, "wait", false); }
Stopped resume(TestRun& run) { return resume_run(run.dir(), run.world().context, "", false); }

std::string statuses(TestRun& run) {
  std::string text;
  for (const auto& effect : list_effects(run.dir())) {
    text += (text.empty() ? "" : " ") + effect.status;
  }
  return text;
}

/// Cuts the run behind each of its commits, repeats the steps, and expects the same end.
void check_cancelled_prefixes(TestRun& whole, const Steps& steps) {
  for (size_t kept = 1; kept <= whole.commits(); ++kept) {
    INFO("cut behind commit " << kept);
    auto run = whole.cut(kept);
    run.check_replay();
    steps(run);
    CHECK(run.end() == whole.end());
    CHECK(run.status() == whole.status());
    CHECK(run.pending() == whole.pending());
    CHECK(statuses(run) == statuses(whole));
    run.check_replay();
  }
}

TEST_CASE("A cancelled run closes what is open, and its process ends it, at every prefix") {
  World world({checklist_process()});
  auto run = TestRun::built_in(world, "checklist", R"({"steps":["a","b"]})");
  const auto steps = [](TestRun& r) {
    r.iterate();
    if (r.status() != "cancelled") cancel(r);
    r.iterate();
  };
  steps(run);
  CHECK(run.status() == "cancelled");
  CHECK(run.end() == "halted: enough");
  CHECK(statuses(run) == "cancelled");
  CHECK(run.types() == "RUN_CREATED EFFECT_REQUESTED SIGNAL_RECEIVED RUN_HALTED");
  CHECK(run.dir().list("tasks").empty());
  CHECK(code_of([&] { run.post("t1", "1"); }) == "EFFECT_CONFLICT");
  check_cancelled_prefixes(run, steps);
}

TEST_CASE("A process may clean up before a cancelled run ends, at every prefix") {
  World world({family_process()});
  auto run = TestRun::built_in(world, "family", kCleaning);
  const auto steps = [](TestRun& r) {
    r.iterate();
    if (r.state().cancel_seq == 0) cancel(r);
    r.iterate();
    if (r.status() == "waiting") r.post("t3", "null");
    r.iterate();
  };
  run.iterate();
  cancel(run);
  CHECK(run.pending().empty());
  CHECK(statuses(run) == "cancelled cancelled");
  CHECK(code_of([&] { run.post("t1", "1"); }) == "EFFECT_CONFLICT");
  run.iterate();
  CHECK(run.status() == "waiting");
  CHECK(run.pending() == "t3:clean up");
  CHECK_FALSE(cancel(run).recorded);
  steps(run);
  CHECK(run.status() == "cancelled");
  CHECK(statuses(run) == "cancelled cancelled resolved_ok");
  check_cancelled_prefixes(run, steps);
}

TEST_CASE("A script may clean up, and ends cancelled or, when it returns, completed") {
  const bool returns = GENERATE(true, false);
  World world;
  const std::string source =
      "const step = { id: 'step', build: ({ name }) => ({ kind: 'agent', title: name }) };\n"
      "export async function process(inputs, ctx) {\n"
      "  try { return await ctx.task(step, { name: 'work' }); } catch (error) {\n"
      "    const done = await ctx.task(step, { name: 'clean up' });\n"
      "    if (inputs.returns) return [error.name, error.reason, done];\n"
      "    throw error;\n"
      "  }\n"
      "}";
  TestRun run(world, source, returns ? R"({"returns":true})" : "{}");
  const auto steps = [](TestRun& r) {
    r.iterate();
    if (r.state().cancel_seq == 0) cancel(r);
    r.iterate();
    if (r.status() == "waiting") r.post("t2", "7");
    r.iterate();
  };
  steps(run);
  CHECK(run.end() == (returns ? R"(["RunCancelledError","enough",7])" : "halted: enough"));
  CHECK(run.status() == (returns ? "completed" : "cancelled"));
  check_cancelled_prefixes(run, steps);
}

TEST_CASE("Effects that are asked for after a cancel was recorded but not given are cancelled") {
  World world({checklist_process()});
  auto run = TestRun::built_in(world, "checklist", R"({"steps":["a","b"]})");
  const auto steps = [](TestRun& r) {
    r.iterate();
    if (r.state().cancel_seq == 0) {
      r.post("t1", "{}");
      cancel(r);
    }
    r.iterate();
  };
  steps(run);
  CHECK(run.status() == "cancelled");
  CHECK(statuses(run) == "resolved_ok cancelled");
  CHECK(find_effect(run.dir(), {2, {}}).request.label == "b");
  const auto message = [&] {
    try {
      run.post("t2", "1");
    } catch (const Error& error) {
      return error.message();
    }
    return std::string();
  }();
  CHECK(message == "t2 was cancelled or abandoned");
}

TEST_CASE("A run that has no process, was never iterated or failed is cancelled at once") {
  World world({checklist_process(), family_process()});
  auto created = TestRun::built_in(world, "checklist", R"({"steps":["a"]})");
  CHECK_FALSE(cancel(created, true).recorded);
  CHECK(cancel(created).recorded);
  CHECK(created.types() == "RUN_CREATED RUN_HALTED");
  CHECK(created.status() == "cancelled");
  CHECK_FALSE(cancel(created).recorded);
  created.check_replay();

  auto failed = TestRun::built_in(world, "checklist", R"({"steps":["a","b"]})");
  failed.iterate();
  failed.post("t1", R"({"exitCode":1})");
  failed.iterate();
  REQUIRE(failed.status() == "failed");
  CHECK(cancel(failed).recorded);
  CHECK(failed.status() == "cancelled");

  TestRun bare = TestRun::built_in(world, "", "{}");
  CHECK(cancel(bare).recorded);
  CHECK(bare.status() == "cancelled");
}

TEST_CASE("A run that ended otherwise can be neither cancelled nor paused") {
  World world({checklist_process()});
  auto done = TestRun::built_in(world, "checklist", R"({"steps":[]})");
  done.iterate();
  REQUIRE(done.status() == "completed");
  auto halted = TestRun::built_in(world, "checklist", R"({"steps":["a"]})");
  halt_run(halted.dir(), world.context, "", false);
  for (auto* run : {&done, &halted}) {
    const auto types = run->types();
    CHECK(code_of([&] { cancel(*run); }) == "RUN_ENDED");
    CHECK(code_of([&] { pause(*run); }) == "RUN_ENDED");
    CHECK(code_of([&] { resume(*run); }) == "RUN_ENDED");
    CHECK(run->types() == types);
  }
}

TEST_CASE("A cancelled run counts as halted for run:halt, a halted one is no cancelled one") {
  World world({family_process()});
  auto run = TestRun::built_in(world, "family", kCleaning);
  run.iterate();
  cancel(run);
  run.iterate();
  CHECK(halt_run(run.dir(), world.context, "at once", false).recorded);
  CHECK(run.status() == "halted");
  CHECK(code_of([&] { cancel(run); }) == "RUN_ENDED");
}

TEST_CASE("A paused run takes results and signals and decides nothing until it is resumed") {
  World world({family_process()});
  auto run = TestRun::built_in(world, "family", kWork);
  const auto steps = [](TestRun& r) {
    r.iterate();
    if (r.state().open.contains(1)) r.post("t1", "1");
    if (r.state().open.contains(2)) r.post("t2", "2");
    if (!r.state().end) resume(r);
    r.iterate();
  };
  run.iterate();
  CHECK(pause(run).recorded);
  CHECK_FALSE(pause(run).recorded);
  run.post("t1", "1");
  run.post("t2", "2");
  send_signal(run.dir(), world.context, {.name = "hello", .value = parse_value("1", "value")});
  const auto types = run.types();
  const auto iteration = run.iterate();
  CHECK(iteration.activations == 0);
  CHECK(iteration.notes.size() == 1);
  CHECK(run.types() == types);
  CHECK(run.status() == "paused");
  CHECK(resume(run).recorded);
  CHECK_FALSE(resume(run).recorded);
  CHECK(run.status() == "ready");
  run.iterate();
  CHECK(run.end() == "[1,2]");
  check_cancelled_prefixes(run, steps);
}

TEST_CASE("A paused run that is cancelled goes on with that when it is resumed") {
  World world({checklist_process()});
  auto run = TestRun::built_in(world, "checklist", R"({"steps":["a"]})");
  run.iterate();
  pause(run);
  CHECK(cancel(run).recorded);
  CHECK(run.status() == "paused");
  resume(run);
  run.iterate();
  CHECK(run.status() == "cancelled");
}

TEST_CASE("Signals of the engine's own cannot be sent") {
  World world({family_process()});
  auto run = TestRun::built_in(world, "family", kWork);
  const auto send = [&] {
    send_signal(run.dir(), world.context,
                {.name = "reprise.cancel", .value = parse_value("null", "value")});
  };
  CHECK(code_of(send) == "INVALID_SIGNAL");
}

}  // namespace
}  // namespace reprise::test
