// Replay cases that naive engines get wrong. Each runs at every prefix of its journal: cut, replay,
// go on, same end.
#include <catch2/catch.hpp>

#include "journal/error.h"
#include "tests/engine/run_fixture.h"

namespace reprise::test {
namespace {

/// A script with a task `step` whose label says which call it is.
std::string named_script(const std::string& body) {
  return R"(import { defineTask } from 'reprise';
const step = defineTask('step', (args) => ({ kind: 'agent', title: 'step ' + args.name }));
const named = (ctx, name, options) => ctx.task(step, { name }, { label: name, ...options });
export async function process(inputs, ctx) {)" +
         body + "\n}\n";
}

void post_open(TestRun& run, const std::string& effect, const std::string& value) {
  if (run.status() != "completed" && run.status() != "halted") run.post(effect, value);
}

TEST_CASE("A sequence waits for each result and completes with the last") {
  World world;
  const auto run = at_every_prefix(world,
                                   named_script("const a = await named(ctx, 'a');"
                                                "const b = await named(ctx, 'b'); return [a, b];"),
                                   "{}", [](TestRun& r) {
                                     r.iterate();
                                     r.post("t1", "1");
                                     r.iterate();
                                     r.post("t2", "2");
                                     r.iterate();
                                   });
  CHECK(run.end() == "[1,2]");
  CHECK(run.types() ==
        "RUN_CREATED EFFECT_REQUESTED EFFECT_RESOLVED EFFECT_REQUESTED EFFECT_RESOLVED "
        "RUN_COMPLETED");
}

TEST_CASE("Two posts before one iterate are given one at a time, in the order of their posts") {
  World world;
  const auto run = at_every_prefix(
      world,
      named_script("const order = []; await Promise.all(['a', 'b'].map(async (name) => {"
                   "await named(ctx, name); order.push(name); })); return order;"),
      "{}", [](TestRun& r) {
        r.iterate();
        r.post("t2", "2");
        r.post("t1", "1");
        r.iterate();
      });
  CHECK(run.end() == R"(["b","a"])");
}

TEST_CASE("A race is won by the request that was answered first, though it was made later") {
  World world;
  const auto run = at_every_prefix(
      world,
      named_script("const won = await Promise.race([named(ctx, 'a'), named(ctx, 'b')]);"
                   "return [won, await named(ctx, 'after ' + won)];"),
      "{}", [](TestRun& r) {
        r.iterate();
        r.post("t2", "\"late\"");
        r.post("t1", "\"early\"");
        r.iterate();
        post_open(r, "t3", "3");
        r.iterate();
      });
  CHECK(run.end() == R"(["late",3])");
}

TEST_CASE("A builder that uses random numbers and is async asks for the same at every replay") {
  World world;
  const auto run = at_every_prefix(world, R"(
      import { defineTask } from 'reprise';
      const roll = defineTask('roll', async (args) => {
        const first = Math.random();
        await Promise.resolve();
        return { kind: 'agent', title: 'roll ' + first + ' ' + Math.random() };
      });
      export async function process(inputs, ctx) {
        const mine = Math.random();
        const both = await Promise.all([ctx.task(roll, {}), ctx.task(roll, {})]);
        return [mine === Math.random(), both, (await ctx.task(roll, { mine })) ];
      })",
                                   "{}", [](TestRun& r) {
                                     r.iterate();
                                     r.post("t1", "1");
                                     r.post("t2", "2");
                                     r.iterate();
                                     post_open(r, "t3", "3");
                                     r.iterate();
                                   });
  CHECK(run.end() == "[false,[1,2],3]");
}

TEST_CASE("A throw after a request in the same activation records the failure alone") {
  World world;
  const auto run = at_every_prefix(
      world,
      named_script(
          "await named(ctx, 'a'); named(ctx, 'never recorded'); throw new TypeError('boom');"),
      "{}", [](TestRun& r) {
        r.iterate();
        r.post("t1", "1");
        r.iterate();
      });
  CHECK(run.end() == "failed: TypeError: boom");
  CHECK(run.types() == "RUN_CREATED EFFECT_REQUESTED EFFECT_RESOLVED RUN_FAILED");
}

TEST_CASE("A loser that is still pending at the end is abandoned") {
  World world;
  auto run = at_every_prefix(
      world, named_script("return await Promise.race([named(ctx, 'a'), named(ctx, 'b')]);"), "{}",
      [](TestRun& r) {
        r.iterate();
        r.post("t2", "2");
        r.iterate();
      });
  CHECK(run.end() == "2");
  CHECK(run.pending().empty());
  CHECK_THROWS_AS(run.post("t1", "1"), Error);
}

TEST_CASE("A promise that never settles with nothing to wait for is a stall, not a wait") {
  World world;
  const auto run =
      at_every_prefix(world, named_script("await named(ctx, 'a'); await new Promise(() => {});"),
                      "{}", [](TestRun& r) {
                        r.iterate();
                        r.post("t1", "1");
                        r.iterate();
                      });
  CHECK(run.end().starts_with("failed: ProcessStalled: "));
}

TEST_CASE("An activation that causes nothing is recorded as applied and decides nothing again") {
  World world;
  auto run =
      at_every_prefix(world,
                      named_script("const a = named(ctx, 'a'); const b = named(ctx, 'b'); await "
                                   "b; return [await a, 'done'];"),
                      "{}", [](TestRun& r) {
                        r.iterate();
                        r.post("t1", "1");
                        r.iterate();
                        r.iterate();
                        r.post("t2", "2");
                        r.iterate();
                      });
  CHECK(run.end() == R"([1,"done"])");
  CHECK(run.types() ==
        "RUN_CREATED EFFECT_REQUESTED EFFECT_REQUESTED EFFECT_RESOLVED ITERATED EFFECT_RESOLVED "
        "RUN_COMPLETED");
}

TEST_CASE("Iterating without anything new appends nothing") {
  World world;
  TestRun run(world, named_script("await named(ctx, 'a');"));
  CHECK(run.iterate().commits == 1);
  CHECK(run.iterate().commits == 0);
  CHECK(run.iterate().commits == 0);
  CHECK(run.types() == "RUN_CREATED EFFECT_REQUESTED");
}

TEST_CASE("A caught error result goes the other way at every replay") {
  World world;
  const auto run = at_every_prefix(
      world,
      named_script(
          "try { await named(ctx, 'a'); } catch (e) {"
          "return [e instanceof Error, e.name, e.message, e.data, await named(ctx, 'b')]; }"),
      "{}", [](TestRun& r) {
        r.iterate();
        r.post_error("t1", R"({"name":"Broken","message":"no","data":{"code":7}})");
        r.iterate();
        post_open(r, "t2", "2");
        r.iterate();
      });
  CHECK(run.end() == R"([true,"Broken","no",{"code":7},2])");
}

TEST_CASE("An error result that nobody catches fails the run and leaves other effects pending") {
  World world;
  auto run =
      at_every_prefix(world, named_script("await Promise.all([named(ctx, 'a'), named(ctx, 'b')]);"),
                      "{}", [](TestRun& r) {
                        r.iterate();
                        r.post_error("t1", R"({"name":"Broken","message":"no"})");
                        r.iterate();
                      });
  CHECK(run.end() == "failed: Broken: no");
  CHECK(run.pending() == "t2:b");
  CHECK(run.post("t2", "2").recorded);
  CHECK(run.end() == "failed: Broken: no");
}

TEST_CASE("A rejection that nobody handles fails the run even when the process waits elsewhere") {
  World world;
  TestRun run(world,
              named_script("Promise.reject(new RangeError('lost')); await named(ctx, 'a');"));
  run.iterate();
  CHECK(run.end() == "failed: RangeError: lost");
  CHECK(run.types() == "RUN_CREATED RUN_FAILED");
}

TEST_CASE("A sleep is resolved by the engine when it is due, in the order of due times") {
  World world;
  const auto run = at_every_prefix(
      world,
      named_script(
          "const order = []; const nap = async (ms, name) => {"
          "await ctx.sleepUntil(Date.now() + ms); order.push(name); };"
          "await Promise.all([nap(3000, 'c'), nap(1000, 'a'), nap(2000, 'b')]); return order;"),
      "{}", [](TestRun& r) {
        r.world().clock.set(kStartMs);
        r.iterate();
        r.world().clock.set(kStartMs + 5000);
        r.iterate();
      });
  CHECK(run.end() == R"(["a","b","c"])");
}

TEST_CASE("An abandoned sleep does not complete the run twice") {
  World world;
  TestRun run(
      world,
      named_script(
          "return await Promise.race([ctx.sleepUntil(Date.now() + 1000), named(ctx, 'a')]);"));
  run.iterate();
  run.post("t2", "\"first\"");
  run.iterate();
  const auto types = run.types();
  world.clock.advance(60'000);
  run.iterate();
  CHECK(run.types() == types);
  CHECK(run.end() == R"("first")");
}

TEST_CASE("The process's clock is the time of the activation, live and replayed") {
  World world;
  const auto run = at_every_prefix(
      world,
      named_script(
          "const times = [Date.now()]; await named(ctx, 'a'); times.push(Date.now(), +ctx.now());"
          "await named(ctx, 'b'); return [...times, Date.now(), new Date().toISOString()];"),
      "{}", [](TestRun& r) {
        r.world().clock.set(kStartMs);
        r.iterate();
        r.world().clock.set(kStartMs + 1000);
        r.post("t1", "1");
        r.world().clock.set(kStartMs + 7000);
        r.iterate();
        r.world().clock.set(kStartMs + 8000);
        post_open(r, "t2", "2");
        r.iterate();
      });
  CHECK(run.end() ==
        "[1767225600000,1767225601000,1767225601000,1767225608000,\"2026-01-01T00:00:08.000Z\"]");
}

TEST_CASE("A fire and forget request stays pending and is abandoned at the end") {
  World world;
  const auto run =
      at_every_prefix(world, named_script("named(ctx, 'forgotten'); return await named(ctx, 'a');"),
                      "{}", [](TestRun& r) {
                        r.iterate();
                        r.post("t2", "2");
                        r.iterate();
                      });
  CHECK(run.end() == "2");
}

TEST_CASE("A builder that fails uses its number up, also after a replay") {
  World world;
  const auto run = at_every_prefix(world, R"(
      import { defineTask } from 'reprise';
      const bad = defineTask('bad', () => { throw new Error('no task'); });
      const good = defineTask('good', (args, { effectId }) => ({ kind: 'agent', title: effectId }));
      export async function process(inputs, ctx) {
        const failed = await ctx.task(bad, {}).catch((e) => e.message);
        const first = await ctx.task(good, { n: 1 });
        await ctx.task(bad, {}).catch(() => {});
        return [failed, first, await ctx.task(good, { n: 2 })];
      })",
                                   "{}", [](TestRun& r) {
                                     r.iterate();
                                     r.post("t2", "1");
                                     r.iterate();
                                     r.post("t4", "2");
                                     r.iterate();
                                   });
  CHECK(run.end() == R"(["no task",1,2])");
}

TEST_CASE("The same key with the same task and arguments is the same effect") {
  World world;
  const auto run = at_every_prefix(
      world,
      named_script(
          "const [a, b] = await Promise.all([named(ctx, 'x', { key: 'k' }), named(ctx, 'x', { "
          "key: 'k' })]);"
          "return [a, b, await named(ctx, 'x', { key: 'k' }), await named(ctx, 'y')];"),
      "{}", [](TestRun& r) {
        r.iterate();
        r.post("t1", "1");
        r.iterate();
        post_open(r, "t2", "2");
        r.iterate();
      });
  CHECK(run.end() == "[1,1,1,2]");
}

TEST_CASE("Parallel work keeps undefined results and never runs more than maxConcurrency at once") {
  World world;
  const auto run = at_every_prefix(
      world,
      named_script("return await ctx.parallel.map([1, 2, 3, 4], async (n) => {"
                   "const v = await named(ctx, 'n' + n); return v === null ? undefined : v; },"
                   "{ maxConcurrency: 2 }).then((list) => [list.length, ...list]);"),
      "{}", [](TestRun& r) {
        r.iterate();
        r.post("t1", "null");
        r.post("t2", "2");
        r.iterate();
        r.post("t3", "3");
        r.post("t4", "null");
        r.iterate();
      });
  CHECK(run.end() == "[4,null,2,3,null]");
}

TEST_CASE("Sleeps that are due at the same time end in the order of their requests") {
  World world;
  const auto run = at_every_prefix(
      world,
      named_script("const order = []; const nap = async (name) => {"
                   "await ctx.sleepUntil(Date.now() + 1000); order.push(name); };"
                   "await Promise.all([...'abcdefghijkl'].map(nap)); return order.join('');"),
      "{}", [](TestRun& r) {
        r.world().clock.set(kStartMs);
        r.iterate();
        r.world().clock.set(kStartMs + 5000);
        r.iterate();
      });
  CHECK(run.end() == R"("abcdefghijkl")");
}

TEST_CASE("A halt ends the run with its reason and abandons what is open") {
  World world;
  const auto run = at_every_prefix(
      world,
      named_script("named(ctx, 'open'); await named(ctx, 'a'); ctx.halt('enough', { n: 1 }); "),
      "{}", [](TestRun& r) {
        r.iterate();
        r.post("t2", "1");
        r.iterate();
      });
  CHECK(run.end() == "halted: enough");
  CHECK(run.pending().empty());
}

}  // namespace
}  // namespace reprise::test
