// Signals: queued until awaited, in order, none lost or doubled, at every prefix of the journal.
#include "engine/signal.h"

#include <catch2/catch.hpp>

#include "journal/error.h"
#include "tests/engine/calls.h"
#include "tests/engine/run_fixture.h"

namespace reprise::test {
namespace {

Signalled send_value(TestRun& run, const std::string& name, const std::string& value,
                     const std::string& key = {}) {
  return send_signal(run.dir(), run.world().context,
                     {name, parse_value(value, "value"), key, false});
}

const std::string kTwoOfEach = script(
    "const got = [await ctx.signal('a'), await ctx.signal('b'), await ctx.signal('a')];"
    "ctx.emit('got', got); return got;");

TEST_CASE("Signals wait until they are awaited, in order, at every prefix") {
  World world;
  const auto run = at_every_prefix(world, kTwoOfEach, "{}", [](TestRun& r) {
    send_value(r, "a", "1", "k1");
    r.iterate();
    send_value(r, "a", "2", "k2");
    r.iterate();
    send_value(r, "b", "3", "k3");
    r.iterate();
  });
  CHECK(run.end() == "[1,3,2]");
  CHECK(run.types() ==
        "RUN_CREATED SIGNAL_RECEIVED ITERATED SIGNAL_RECEIVED ITERATED SIGNAL_RECEIVED "
        "EVENT_EMITTED RUN_COMPLETED");
}

TEST_CASE("The order between names does not matter, the order within a name does") {
  for (const auto& order : std::vector<std::vector<std::pair<std::string, std::string>>>{
           {{"a", "1"}, {"a", "2"}, {"b", "3"}},
           {{"a", "1"}, {"b", "3"}, {"a", "2"}},
           {{"b", "3"}, {"a", "1"}, {"a", "2"}}}) {
    World world;
    TestRun run(world, kTwoOfEach);
    for (const auto& [name, value] : order) send_value(run, name, value);
    run.iterate();
    CHECK(run.end() == "[1,3,2]");
    run.check_replay();
  }
}

TEST_CASE(
    "A repeat with the same name and key changes nothing, whatever it holds and whenever it "
    "comes") {
  World world;
  TestRun run(world, kTwoOfEach);
  CHECK(send_value(run, "a", "1", "mail-1").recorded);
  const auto types = run.types();
  CHECK_FALSE(send_value(run, "a", "1", "mail-1").recorded);
  CHECK_FALSE(send_value(run, "a", "2", "mail-1").recorded);
  CHECK(run.types() == types);
  CHECK(send_value(run, "b", "1", "mail-1").recorded);
  run.iterate();
  CHECK(send_value(run, "a", "1", "mail-1").seq == 2);
  // Also when the state comes from the cache.
  store_state(run.dir(), run.state(), {});
  CHECK_FALSE(send_value(run, "a", "9", "mail-1").recorded);
}

TEST_CASE("Signals without a key are never the same") {
  World world;
  TestRun run(world, kTwoOfEach);
  CHECK(send_value(run, "a", "1").recorded);
  CHECK(send_value(run, "a", "1").recorded);
}

TEST_CASE("A signal to a run that ended is recorded and never applied") {
  World world;
  TestRun run(world, script("return 'done';"));
  run.iterate();
  CHECK(send_value(run, "late", "1").recorded);
  CHECK(run.status() == "completed");
  CHECK(run.iterate().activations == 0);
  CHECK(run.end() == R"("done")");
}

TEST_CASE("A run that only awaits a signal waits and does not stall") {
  World world;
  TestRun run(world, script("return await ctx.signal('go');"));
  run.iterate();
  CHECK(run.status() == "waiting");
  send_value(run, "other", "1");
  CHECK(run.status() == "ready");
  run.iterate();
  CHECK(run.status() == "waiting");
  send_value(run, "go", R"({"x":1})");
  run.iterate();
  CHECK(run.end() == R"({"x":1})");
}

TEST_CASE("A signal race against a sleep is won by what was recorded first") {
  World world;
  const auto run =
      at_every_prefix(world,
                      script("return await Promise.race([ctx.signal('go').then(() => 'signal'),"
                             "ctx.sleepUntil(Date.now() + 1000).then(() => 'time')]);"),
                      "{}", [](TestRun& r) {
                        r.world().clock.set(kStartMs);
                        r.iterate();
                        r.world().clock.set(kStartMs + 5000);
                        send_value(r, "go", "null", "once");
                        r.iterate();
                      });
  CHECK(run.end() == R"("signal")");
}

const std::string kWithTimeout = script(
    "const ends = [];"
    "for (const name of ['a', 'b', 'a']) {"
    "  try { ends.push(await ctx.signal(name, { timeoutMs: 1000 })); }"
    "  catch (error) { ends.push(error.name + ' ' + error.timeoutMs); }"
    "} return ends;");

TEST_CASE("A wait with a timeout takes a signal in time, at every prefix") {
  World world;
  const auto run = at_every_prefix(world, kWithTimeout, "{}", [](TestRun& r) {
    r.world().clock.set(kStartMs);
    r.iterate();
    send_value(r, "a", "1", "k1");
    send_value(r, "a", "2", "k2");
    r.iterate();
    send_value(r, "b", "3", "k3");
    r.iterate();
  });
  CHECK(run.end() == "[1,3,2]");
  CHECK(run.types() ==
        "RUN_CREATED EFFECT_REQUESTED ITERATED SIGNAL_RECEIVED SIGNAL_RECEIVED EFFECT_REQUESTED "
        "EFFECT_WITHDRAWN ITERATED SIGNAL_RECEIVED RUN_COMPLETED");
}

TEST_CASE("The timer of a signal that came is open no longer, and a process can stall then") {
  World world;
  TestRun run(world, script("await ctx.signal('a', { timeoutMs: 1000 }); await ctx.signal('b');"
                            "await new Promise(() => {});"));
  run.iterate();
  CHECK(run.state().open.size() == 1);
  CHECK(run.state().awaits == R"(["a"])");
  send_value(run, "a", "1");
  run.iterate();
  CHECK(run.state().open.empty());
  CHECK(run.state().awaits == R"(["b"])");
  CHECK_FALSE(run.state().next_due_ms());
  send_value(run, "b", "1");
  run.iterate();
  CHECK(run.status() == "failed");
  CHECK(run.state().awaits.empty());
  run.check_replay();
}

TEST_CASE("A timer that ended between its signal and the iteration changes nothing") {
  World world;
  TestRun run(world, script("await ctx.signal('a', { timeoutMs: 1000 }); await ctx.signal('b');"));
  run.iterate();
  send_value(run, "a", "1");
  run.post("t1", "null");
  run.iterate();
  CHECK(run.status() == "waiting");
  CHECK(run.state().open.empty());
  run.check_replay();
}

TEST_CASE("A rewind to before the signal waits for it again, with the timer that is there") {
  World world;
  TestRun run(world, script("await ctx.signal('a', { timeoutMs: 1000 }); await ctx.signal('b');"));
  run.iterate();
  send_value(run, "a", "1");
  run.iterate();
  REQUIRE(run.state().open.empty());
  const auto records = run.types();
  REQUIRE(records.starts_with("RUN_CREATED EFFECT_REQUESTED ITERATED SIGNAL_RECEIVED"));
  run.rewind("4");
  CHECK(run.pending() == "t1:signal:a");
  CHECK(run.state().awaits.empty());
  run.iterate();
  CHECK(run.state().open.empty());
  CHECK(run.state().awaits == R"(["b"])");
  run.check_replay();
}

TEST_CASE("A wait that timed out is withdrawn, at every prefix") {
  World world;
  const auto run = at_every_prefix(world, kWithTimeout, "{}", [](TestRun& r) {
    r.world().clock.set(kStartMs);
    r.iterate();
    r.world().clock.set(kStartMs + 1000);
    r.iterate();
    send_value(r, "a", "1", "k1");
    send_value(r, "b", "2", "k2");
    r.iterate();
  });
  CHECK(run.end() == R"(["SignalTimeoutError 1000",2,1])");
}

TEST_CASE("A timer behind its signal changes nothing, at every prefix") {
  World world;
  const auto run = at_every_prefix(
      world,
      script("const got = await ctx.signal('a', { timeoutMs: 1000 });"
             "await ctx.sleepUntil(Date.now() + 5000); return [got, await ctx.signal('a')];"),
      "{}", [](TestRun& r) {
        r.world().clock.set(kStartMs);
        r.iterate();
        send_value(r, "a", "1", "k1");
        r.iterate();
        r.world().clock.set(kStartMs + 2000);
        r.iterate();
        r.world().clock.set(kStartMs + 6000);
        send_value(r, "a", "2", "k2");
        r.iterate();
      });
  CHECK(run.end() == "[1,2]");
}

TEST_CASE(
    "Signal or timeout: what was recorded first wins, whatever is given to the process when") {
  for (const bool signal_first : {true, false}) {
    World world;
    TestRun run(world, script("return ctx.signal('a', { timeoutMs: 1000 }).catch(() => 'late');"));
    run.iterate();
    world.clock.set(kStartMs + 1000);
    if (signal_first) send_value(run, "a", "1");
    run.iterate();
    if (!signal_first) send_value(run, "a", "1");
    CHECK(run.end() == (signal_first ? "1" : R"("late")"));
    run.check_replay();
  }
}

TEST_CASE("A large signal goes through a blob") {
  World world;
  TestRun run(world, script("return (await ctx.signal('big')).length;"));
  send_value(run, "big", "\"" + std::string(100'000, 'z') + "\"");
  run.iterate();
  CHECK(run.end() == "100000");
}

TEST_CASE("A signal without a name is refused") {
  World world;
  TestRun run(world, kTwoOfEach);
  CHECK_THROWS_AS(send_value(run, "", "1"), Error);
  CHECK(run.types() == "RUN_CREATED");
}

}  // namespace
}  // namespace reprise::test
