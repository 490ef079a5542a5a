// Results that came before the code asked for their effects: they are given to it when it does,
// once, as they were.
#include <catch2/catch.hpp>

#include "engine/stop.h"
#include "tests/engine/calls.h"
#include "tests/engine/run_fixture.h"

namespace reprise::test {
namespace {

/// A run that waits for `open` (t2), and is given to code that first asks for z (t4).
TestRun reassigned(World& world, const std::string& open, const std::string& then) {
  TestRun run(world, script("await call('a'); await " + open + "; await call('c');"));
  run.iterate();
  run.post("t1", "1");
  run.iterate();
  run.assign(script("await call('a'); await call('z'); " + then));
  REQUIRE(run.state().open.contains(4));
  return run;
}

void post_and_iterate(TestRun& run, const std::string& effect, const std::string& value) {
  run.post(effect, value);
  run.iterate();
  run.check_replay();
}

TEST_CASE("A cancelled effect that new code comes to later is cancelled for it, too") {
  World world;
  const std::string then =
      "const b = await call('b').catch((e) => e.name); const c = await call('c'); return [b, c];";
  auto run = reassigned(world, "call('b')", then);
  cancel_effect(run.dir(), world.context, {2, {}}, "enough", false);
  run.iterate();
  post_and_iterate(run, "t4", "0");
  REQUIRE(run.pending() == "t6:c");
  CHECK(run.state().counts.cancelled == 1);
  // The next code is given it once, and so is what comes after a rewind.
  run.assign(script("await call('a'); await call('z'); /* */" + then));
  CHECK(run.pending() == "t6:c");
  run.check_replay();
  run.rewind("t2");
  run.iterate();
  run.check_replay();
  CHECK(run.state().counts.cancelled == 1);
  const auto c = run.pending();
  post_and_iterate(run, c.substr(0, c.find(':')), "3");
  CHECK(run.end() == R"(["EffectCancelledError",3])");
}

TEST_CASE("A failed command that new code comes to later is a value for it") {
  World world;
  auto run = reassigned(world, "ctx.task(shell, {})",
                        "const r = await ctx.task(shell, {}); return [r.success, r.exitCode];");
  run.post_error("t2", R"({"message":"no","data":{"exitCode":3}})");
  run.iterate();
  post_and_iterate(run, "t4", "0");
  CHECK(run.end() == "[false,3]");
}

TEST_CASE("Results that were kept are given in the order in which they came") {
  World world;
  TestRun run(world, script("await Promise.all(['a', 'b', 'c', 'd'].map((name) => call(name)));"));
  run.iterate();
  for (const auto* effect : {"t3", "t1", "t2", "t4"}) run.post(effect, "0");
  run.assign(
      script("await call('d'); const order = [];"
             "await Promise.all(['a', 'b', 'c'].map(async (name) => {"
             "await call(name); order.push(name); })); return order;"));
  CHECK(run.end() == R"(["c","a","b"])");
  run.check_replay();
}

TEST_CASE("What was delivered again is not open for the next code") {
  World world;
  auto run = reassigned(world, "call('b')", "await call('b'); await call('c');");
  run.post("t2", "\"early\"");
  run.iterate();
  post_and_iterate(run, "t4", "0");
  REQUIRE(run.pending() == "t6:c");
  run.assign(script("await call('a'); await call('z'); /* */ await call('b'); await call('c');"));
  CHECK(run.pending() == "t6:c");
  CHECK(run.state().counts.resolved_ok == 3);
  run.check_replay();
}

TEST_CASE("A result is delivered again as often as new code comes to it later, as it came") {
  World world;
  auto run = reassigned(world, "call('b')", "await call('b'); await call('c');");
  run.post("t2", R"("early,\"of\":7")");
  run.iterate();
  post_and_iterate(run, "t4", "0");
  REQUIRE(run.pending() == "t6:c");
  run.assign(script("await call('a'); await call('z'); await call('y'); return await call('b');"));
  REQUIRE(run.pending() == "t6:c t9:y");
  post_and_iterate(run, "t9", "0");
  CHECK(run.end() == R"("early,\"of\":7")");
  std::vector<uint64_t> delivered;
  JsonReader reader;
  uint64_t came = 0;
  for_each_event(run.dir(), [&](const RecordView& record) {
    const auto& data = reader.members(record.data);
    if (record.type != RecordType::kEffectResolved || data.text("effectId") != "t2") return;
    if (!data.has("of")) came = record.seq;
    CHECK(parse_value(record.data, "data").text == record.data);
    if (data.has("of")) CHECK(data.number("of") == came);
    delivered.push_back(data.number("adopted"));
  });
  REQUIRE(delivered.size() == 3);
  CHECK(delivered[1] < delivered[2]);
}

TEST_CASE("A retry takes an error back that was delivered again, and the one that came") {
  World world;
  auto run = reassigned(world, "call('b')", "return await call('b');");
  run.post_error("t2", R"({"name":"Flaky","message":"no"})");
  run.iterate();
  post_and_iterate(run, "t4", "0");
  REQUIRE(run.end() == "failed: Flaky: no");
  CHECK(run.retry().effect == 2);
  CHECK(run.pending() == "t2:b");
  run.check_replay();
  CHECK_FALSE(run.retry().recorded);
  post_and_iterate(run, "t2", "\"in the end\"");
  CHECK(run.end() == "\"in the end\"");
}

TEST_CASE("A rewind to where a kept result was given has it given again") {
  World world;
  auto run =
      reassigned(world, "call('b')", "const b = await call('b'); await call('c'); return b;");
  run.post("t2", "\"early\"");
  run.iterate();
  post_and_iterate(run, "t4", "0");
  REQUIRE(run.pending() == "t6:c");
  run.rewind("t2");
  run.check_replay();
  run.iterate();
  CHECK(run.pending() == "t8:c");
  run.check_replay();
  post_and_iterate(run, "t8", "0");
  CHECK(run.end() == "\"early\"");
}

TEST_CASE("A rewind behind an assignment keeps what came from outside since, each thing once") {
  World world;
  auto run = reassigned(world, "call('b')",
                        "ctx.emit('new', 1); const b = await call('b'); await call('c');");
  run.post("t2", "\"early\"");
  run.iterate();
  post_and_iterate(run, "t4", "0");
  REQUIRE(run.pending() == "t6:c");
  pause_run(run.dir(), world.context, "wait", false);
  SECTION("a pause") {
    run.rewind("3");
    CHECK(run.state().paused);
    resume_run(run.dir(), world.context, "", false);
  }
  SECTION("a pause and its end") {
    resume_run(run.dir(), world.context, "", false);
    run.rewind("3");
    CHECK_FALSE(run.state().paused);
  }
  // The older code asks for its b anew: the one that it asked for is void.
  run.check_replay();
  run.iterate();
  CHECK(run.pending() == "t7:b");
  post_and_iterate(run, "t7", "\"late\"");
  CHECK(run.pending() == "t8:c");
}

TEST_CASE("A rewind behind an assignment gives the older code its own results back") {
  World world;
  TestRun run(world, script("const b = call('b'); await call('a'); await call('y');"
                            "return await b;"));
  run.iterate();
  run.post("t2", "1");
  run.iterate();
  run.assign(
      script("await call('a'); await call('z'); return [await call('b'), await call('y')];"));
  run.post("t1", "\"early\"");
  run.iterate();
  post_and_iterate(run, "t5", "0");
  const auto plan = run.rewind("4", {}, false).plan;
  CHECK(plan.assignments.size() == 1);
  run.rewind("4");
  run.check_replay();
  run.iterate();
  run.check_replay();
  const auto y = run.pending();
  post_and_iterate(run, y.substr(0, y.find(':')), "0");
  CHECK(run.end() == "\"early\"");
}

TEST_CASE("A result that is held for longer than the commit that it came with is given as it was") {
  // 20,000 attempts are over at once, which is two commits; then the new code asks for the first.
  World world;
  const std::string tasks =
      "import { defineTask } from 'reprise';\n"
      "const work = defineTask('work', () => ({ kind: 'agent' }));\n"
      "const limit = { timeoutMs: 1000 };\n"
      "export async function process(inputs, ctx) {\n";
  const std::string until = "await ctx.sleepUntil(" + std::to_string(kStartMs + kMinuteMs) + ");";
  TestRun run(world, tasks +
                         "for (let i = 0; i < 20000; i++) "
                         "ctx.task(work, { i }, limit).catch(() => {});" +
                         until + "await ctx.signal('never'); }");
  run.iterate();
  REQUIRE(run.state().open.size() == 20'001);
  REQUIRE(run.assign(tasks + until +
                     "let failed = 0;"
                     "for (let i = 0; i < 5; i++) "
                     "await ctx.task(work, { i }, limit).catch(() => ++failed);"
                     "return failed; }")
              .assigned);
  world.clock.advance(2 * kMinuteMs);
  CHECK(run.iterate().commits > 2);
  CHECK(run.end() == "5");
  std::string adopted;
  std::string delivered;
  JsonReader reader;
  for_each_event(run.dir(), [&](const RecordView& record) {
    const auto& data = reader.members(record.data);
    if (data.has("adopts")) adopted += data.text("effectId") + " ";
    if (data.has("adopted")) delivered += data.text("effectId") + " ";
  });
  CHECK(adopted == "t1 t2 t3 t4 t5 ");
  CHECK(delivered == adopted);
  run.check_replay();
}

}  // namespace
}  // namespace reprise::test
