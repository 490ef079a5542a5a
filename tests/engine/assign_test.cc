// New code over an old history: what it keeps, what it asks for anew, what is left for later; and
// that the run replays the same ever after.
#include "engine/assign.h"

#include <catch2/catch.hpp>

#include "engine/signal.h"
#include "tests/engine/calls.h"
#include "tests/engine/run_fixture.h"

namespace reprise::test {
namespace {

std::string words(const std::vector<PlannedItem>& items) {
  std::string text;
  for (const auto& item : items)
    text += (text.empty() ? "" : " ") + (item.effect ? format_effect_id(item.effect) : "event");
  return text;
}

/// kept | added | reserve | end
std::string outline(const PlanSummary& plan) {
  return words(plan.kept) + " | " + words(plan.added) + " | " + words(plan.reserve) + " | " +
         plan.end.substr(0, plan.end.find(' '));
}

/// A run of the code whose first effects have their results: t1 is "r1", and so on.
TestRun run_of(World& world, const std::string& body, uint64_t results) {
  TestRun run(world, script_with_args(body));
  run.iterate();
  for (uint64_t i = 1; i <= results; ++i) {
    run.post(format_effect_id(i), "\"r" + std::to_string(i) + "\"");
    run.iterate();
  }
  return run;
}

struct Edit {
  std::string name;
  std::string code;
  std::string plan;
  std::string pending;  ///< after the assignment
};

const std::string kCode =
    "const a = await call('a'); const b = await call('b', { a });"
    "for (let i = 0; i < 2; i++) await call('loop', { i });"
    "ctx.emit('done', [a, b]); return [a, b];";

TEST_CASE("Each kind of edit has its plan, and the run replays the same ever after") {
  // In the history: t1 a, t2 b, t3 loop 0 have results, t4 loop 1 is open.
  const std::vector<Edit> edits = {
      {"nothing but a comment", "/* */" + kCode, "t1 t2 t3 t4 |  |  | ", "t4:loop"},
      {"insert", "await call('new');" + kCode, " | t5 | t1 t2 t3 t4 | ", "t4:loop t5:new"},
      {"insert behind", "const a = await call('a'); await call('new'); return a;",
       "t1 | t6 | t2 t3 t4 | ", "t4:loop t6:new"},
      {"remove",
       "const a = await call('a'); for (let i = 0; i < 2; i++) await call('loop', { i });"
       "return a;",
       "t1 t3 t4 |  | t2 | ", "t4:loop"},
      {"reorder",
       "const l = call('loop', { i: 0 }); const a = await call('a'); await l;"
       "return await call('b', { a });",
       "t3 t1 t2 |  | t4 | RUN", ""},
      {"rename",
       "const a = await call('a'); const b = await ctx.task(other, { a }, { label: 'b' });"
       "return b;",
       "t1 | t6 | t2 t3 t4 | ", "t4:loop t6:b"},
      {"changed arguments", "const a = await call('a'); return await call('b', { a, more: 1 });",
       "t1 | t6 | t2 t3 t4 | ", "t4:loop t6:b"},
      {"changed label", "const a = await call('a'); return await call('B', { a });",
       "t1 | t6 | t2 t3 t4 | ", "t4:loop t6:B"},
      {"a longer loop",
       "const a = await call('a'); await call('b', { a });"
       "for (let i = 0; i < 3; i++) await call('loop', { i }); return a;",
       "t1 t2 t3 t4 |  |  | ", "t4:loop"},
      {"a shorter loop",
       "const a = await call('a'); await call('b', { a });"
       "for (let i = 0; i < 1; i++) await call('loop', { i }); return a;",
       "t1 t2 t3 |  | t4 | completion", ""},
  };
  for (const auto& edit : edits) {
    INFO(edit.name);
    World world;
    auto run = run_of(world, kCode, 3);
    const auto types = run.types();
    const auto planned = run.assign(script_with_args(edit.code), false);
    REQUIRE(planned.plan);
    if (edit.name != "reorder") CHECK(outline(*planned.plan) == edit.plan);
    CHECK_FALSE(planned.assigned);
    CHECK(run.types() == types);

    CHECK(run.assign(script_with_args(edit.code)).assigned);
    CHECK(run.pending() == edit.pending);
    run.check_replay();
    for (int i = 0; i < 6 && run.end() == "open"; ++i) {
      const auto open = run.state().open;
      for (const auto& [id, effect] : open) run.post(format_effect_id(id), "\"later\"");
      run.iterate();
      run.check_replay();
    }
    CHECK(run.end() != "open");
  }
}

TEST_CASE("A changed child is another one; the old one waits for code that asks for it again") {
  World world;
  const std::string code = "return await ctx.run('./child.js', { n: 1 });";
  TestRun run(world, script_with_args(code));
  run.iterate();
  const auto plan =
      *run.assign(script_with_args("return await ctx.run('./child.js', { n: 2 });"), false).plan;
  CHECK(outline(plan) == " | t2 | t1 | ");
  run.assign(script_with_args("return await ctx.run('./other.js', { n: 1 });"));
  CHECK(run.pending() == "t1:run:./child.js t2:run:./other.js");
  CHECK(run.state().orphans.empty());
  run.check_replay();
  run.assign(script_with_args("return [await ctx.run('./other.js', { n: 1 })];"), true, true);
  CHECK(run.pending() == "t2:run:./other.js");
  CHECK(run.state().orphans == std::set<uint64_t>{1});
  run.post("t2", "7");
  run.iterate();
  CHECK(run.end() == "[7]");
  run.check_replay();
}

TEST_CASE("Kept results reach the calls that ask for them again, never others") {
  World world;
  auto run = run_of(world, kCode, 3);
  run.assign(
      script_with_args("const [b, a] = await Promise.all([call('b', { a: 'r1' }), call('a')]);"
                       "return [a, b, await call('loop', { i: 0 })];"));
  CHECK(run.end() == R"(["r1","r2","r3"])");
  run.check_replay();
}

TEST_CASE("What new code comes to later is adopted, with the result that came in the meantime") {
  World world;
  auto run = run_of(world, "await call('a'); await call('b'); await call('c');", 1);
  // t2 (b) is open. The new code first asks for z, then for b.
  run.assign(
      script_with_args("await call('a'); await call('z'); const b = await call('b');"
                       "return [b, await call('c')];"));
  CHECK(run.pending() == "t2:b t4:z");
  run.post("t2", "\"early\"");
  run.iterate();
  CHECK(run.pending() == "t4:z");
  run.check_replay();
  run.post("t4", "26");
  run.iterate();
  CHECK(run.pending() == "t6:c");
  run.check_replay();
  run.post("t6", "\"c\"");
  run.iterate();
  CHECK(run.end() == R"(["early","c"])");
  run.check_replay();
  CHECK(run.types().find("EFFECT_REQUESTED EFFECT_RESOLVED EFFECT_REQUESTED") !=
        std::string::npos);  // adopted, delivered again, went on
}

TEST_CASE("An open effect that is adopted keeps its id, and its claimers") {
  World world;
  auto run = run_of(world, "await call('a'); await call('b');", 1);
  run.assign(script_with_args("await call('a'); await call('z'); return await call('b');"));
  run.post("t4", "0");
  run.iterate();
  CHECK(run.pending() == "t2:b");
  run.post("t2", "\"b\"");
  run.iterate();
  CHECK(run.end() == "\"b\"");
  run.check_replay();
}

TEST_CASE("Events are not emitted a second time") {
  World world;
  auto run = run_of(world, "ctx.emit('begun', 1); await call('a'); await call('b');", 1);
  run.assign(
      script_with_args("ctx.emit('begun', 1); await call('a'); ctx.emit('new', 2);"
                       "await call('b');"));
  CHECK(run.types() ==
        "RUN_CREATED EVENT_EMITTED EFFECT_REQUESTED EFFECT_RESOLVED EFFECT_REQUESTED "
        "PROCESS_ASSIGNED EVENT_EMITTED");
  run.check_replay();
}

TEST_CASE("A failed run is reopened by code that does not fail") {
  World world;
  auto run = run_of(world, "const a = await call('a'); return a.no.such;", 1);
  REQUIRE(run.status() == "failed");
  run.assign(script_with_args("const a = await call('a'); return [a, await call('b')];"));
  CHECK(run.pending() == "t3:b");
  run.check_replay();
  run.post("t3", "2");
  run.iterate();
  CHECK(run.end() == R"(["r1",2])");
}

TEST_CASE("Code that fails over the history says so in its plan") {
  World world;
  auto run = run_of(world, "await call('a'); await call('b');", 1);
  const auto code = script_with_args("await call('a'); throw new Error('also broken');");
  const auto plan = *run.assign(code, false).plan;
  CHECK(plan.end.find("also broken") != std::string::npos);
  CHECK(plan.ended_at == 3);
  run.assign(code);
  CHECK(run.end() == "failed: Error: also broken");
  CHECK(run.pending() == "t2:b");
  run.check_replay();
  run.assign(script_with_args("await call('a'); return await call('b');"));
  run.post("t2", "1");
  run.iterate();
  CHECK(run.end() == "1");
  run.check_replay();
}

TEST_CASE("Abandoning cancels at once what the new code has not reached") {
  World world;
  auto run = run_of(world, "await call('a'); await call('b');", 1);
  run.assign(script_with_args("await call('a'); await call('z'); return await call('b');"), true,
             true);
  CHECK(run.pending() == "t4:z");
  CHECK(run.state().counts.cancelled == 1);
  CHECK(find_effect(run.dir(), {2, {}}).status == "cancelled");
  run.post("t4", "0");
  run.iterate();
  CHECK(run.pending() == "t5:b");
  run.check_replay();
}

TEST_CASE("The same code again abandons what was kept for later") {
  World world;
  auto run = run_of(world, "await call('a'); await call('b'); return 1;", 1);
  const auto code = script_with_args("await call('a'); await call('x'); return 2;");
  run.assign(code);
  REQUIRE(run.pending() == "t2:b t4:x");
  CHECK_FALSE(run.assign(code, false, true).assigned);
  CHECK(run.pending() == "t2:b t4:x");
  const auto abandoned = run.assign(code, true, true);
  CHECK(abandoned.assigned);
  CHECK(outline(*abandoned.plan) == "t1 t4 |  | t2 | ");
  CHECK(run.pending() == "t4:x");
  run.check_replay();
  const auto types = run.types();
  CHECK_FALSE(run.assign(code, true, true).assigned);
  CHECK(run.types() == types);
  run.post("t4", "4");
  run.iterate();
  CHECK(run.end() == "2");
  run.check_replay();
}

TEST_CASE("What the new code waits for is known after an iteration, once") {
  World world;
  TestRun run(world, script_with_args("await ctx.signal('a'); await ctx.signal('b');"));
  run.iterate();
  run.assign(script_with_args("await ctx.signal('a'); await ctx.signal('c');"));
  run.iterate();
  CHECK(run.state().awaits == R"(["a"])");
  const auto types = run.types();
  run.iterate();
  CHECK(run.types() == types);
  run.check_replay();
  send_signal(run.dir(), world.context, {"a", parse_value("1", "value"), {}, false});
  run.iterate();
  CHECK(run.state().awaits == R"(["c"])");
  run.rewind("1", script_with_args("await ctx.signal('d');"));
  run.iterate();
  CHECK(run.state().awaits == R"(["d"])");
  run.check_replay();
}

TEST_CASE("The same code again changes nothing; a completed run takes none") {
  World world;
  auto run = run_of(world, "return await call('a');", 0);
  CHECK_FALSE(run.assign(script_with_args("return await call('a');")).assigned);
  run.post("t1", "1");
  run.iterate();
  CHECK(code_of([&] { run.assign(script_with_args("return 2;")); }) == "RUN_ENDED");
}

TEST_CASE("An assignment goes on the same from every prefix of its journal") {
  World world;
  const auto first =
      script_with_args("const a = await call('a'); const b = await call('b'); return [a, b];");
  const auto second = script_with_args(
      "const a = await call('a'); const n = await call('new'); const b = await call('b');"
      "return [a, n, b];");
  at_every_prefix(world, first, "{}", [&](TestRun& r) {
    r.iterate();
    if (r.state().open.contains(1)) r.post("t1", "1");
    r.iterate();
    r.assign(second);
    if (r.state().open.contains(4)) r.post("t4", "4");
    if (r.state().open.contains(2)) r.post("t2", "2");
    r.iterate();
    CHECK(r.end() == "[1,4,2]");
  });
}

TEST_CASE("A result that was delivered again counts once for the next code") {
  World world;
  auto run = run_of(world, "await call('a'); await call('b');", 1);
  run.assign(
      script_with_args("await call('a'); await call('z'); await call('b'); await call('c');"));
  run.post("t2", "\"early\"");
  run.iterate();
  run.post("t4", "26");
  run.iterate();  // b is adopted, and its result delivered again
  REQUIRE(run.pending() == "t6:c");
  run.assign(script_with_args("await call('a'); await call('z'); return await call('b');"));
  CHECK(run.end() == "\"early\"");
  run.check_replay();
}

TEST_CASE("A timer that was withdrawn is kept by code that withdraws it, and no other") {
  const std::string wait = "await ctx.signal('a', { timeoutMs: 1000 });";
  for (const bool same : {true, false}) {
    World world;
    TestRun run(world, script_with_args(wait + "await call('x');"));
    run.iterate();
    send_signal(run.dir(), world.context, {"a", parse_value("1", "value"), {}, false});
    run.iterate();
    REQUIRE(run.pending() == "t2:x");
    const std::string first = same ? "/* */" : "await ctx.signal('a');";
    const auto assigned = run.assign(script_with_args(first + wait + "await call('x');"));
    CHECK(outline(*assigned.plan) == (same ? "t1 t2 |  |  | " : " | t3 | t2 | "));
    CHECK(run.pending() == (same ? "t2:x" : "t2:x t3:signal:a"));
    run.check_replay();
    send_signal(run.dir(), world.context, {"a", parse_value("2", "value"), {}, false});
    run.iterate();
    CHECK(run.pending() == "t2:x");
    run.check_replay();
  }
}

TEST_CASE("A timer that was withdrawn is not kept for later") {
  World world;
  const auto wait = [](const std::string& name) {
    return "await ctx.signal('" + name + "', { timeoutMs: 1000 });";
  };
  TestRun run(world, script_with_args(wait("a") + wait("b") + "await call('x');"));
  for (const auto* name : {"a", "b"}) {
    run.iterate();
    send_signal(run.dir(), world.context, {name, parse_value("1", "value"), {}, false});
  }
  run.iterate();
  REQUIRE(run.pending() == "t3:x");
  const auto assigned = run.assign(script_with_args(wait("a") + "await call('y');" + wait("b")));
  CHECK(outline(*assigned.plan) == "t1 | t5 | t3 | ");
  CHECK(run.pending() == "t3:x t5:y");
  run.check_replay();
}

TEST_CASE("One assignment follows another") {
  World world;
  auto run = run_of(world, "await call('a'); await call('b'); await call('c');", 2);
  run.assign(script_with_args("await call('a'); await call('x'); await call('c');"));
  CHECK(run.pending() == "t3:c t5:x");
  run.check_replay();
  run.assign(
      script_with_args("await call('a'); const b = await call('b'); return [b, await call('c')];"));
  CHECK(run.pending() == "t3:c t5:x");
  run.check_replay();
  run.post("t3", "3");
  run.iterate();
  CHECK(run.end() == R"(["r2",3])");
  run.check_replay();
}

}  // namespace
}  // namespace reprise::test
