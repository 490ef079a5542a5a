// ctx.signal with a timeout: one timer, one wait, and whichever is first.
#include <catch2/catch.hpp>

#include "tests/processes/script/harness.h"

using reprise::test::Lines;
using reprise::test::process_of;
using reprise::test::Script;

namespace {

const char* const kTimer = R"(request t1 __sdk.signalTimeout sleep {"name":"go","timeoutMs":5000})";

std::string waiting(const std::string& then) {
  return process_of("const wait = ctx.signal('go', { timeoutMs: 5000 });" + then);
}

}  // namespace

TEST_CASE("a wait with a timeout asks for one sleep, due that much later") {
  Script script(waiting("await wait;"));
  CHECK(script.start() == Lines{kTimer});
  const auto& timer = script.commands().at(0);
  CHECK(timer.due_ms == Script::kStartMs + 1000 + 5000);
  CHECK(timer.label == "signal:go");
  CHECK(timer.key.empty());
  CHECK(timer.options.empty());
  CHECK(timer.definition ==
        R"({"kind":"sleep","sleep":{"iso":"2023-11-14T22:13:26.000Z",)"
        R"("targetEpochMs":1700000006000},"signal":{"name":"go","timeoutMs":5000}})");
}

TEST_CASE("a signal that comes in time is the wait's value, and the timer's end then nothing") {
  Script script(waiting("const got = await wait; await ctx.task(work); return got;"));
  script.start();
  CHECK(script.signal("go", "7") == Lines{"withdraw t1", "request t2 work shell null"});
  CHECK(script.resolve(1, "null") == Lines{});
  CHECK(script.resolve(2, "0") == Lines{"complete 7"});
}

TEST_CASE("a timeout rejects with SignalTimeoutError and withdraws the wait") {
  Script script(
      waiting("try { await wait; } catch (e) {"
              "ctx.emit('late', [e.name, e.message, e.signal, e.timeoutMs, e instanceof Error]); }"
              "return ctx.signal('go');"));
  script.start();
  CHECK(script.resolve(1, "null") ==
        Lines{R"(emit late ["SignalTimeoutError","no signal \"go\" came within 5000 ms","go",)"
              R"(5000,true])"});
  CHECK(script.signal("go", "8") == Lines{"complete 8"});
}

TEST_CASE("of several waits the one that timed out is taken out of the line, the others stay") {
  Script script(process_of(
      "const waits = [ctx.signal('go'), ctx.signal('go', { timeoutMs: 1 }), ctx.signal('go'),"
      "ctx.signal('other', { timeoutMs: 1 })];"
      "const ends = await Promise.allSettled(waits); return ends.map((e) => e.value ?? 'late');"));
  CHECK(script.start().size() == 2);
  CHECK(script.resolve(1, "null") == Lines{});
  CHECK(script.signal("go", "1") == Lines{});
  CHECK(script.signal("other", "3") == Lines{"withdraw t2"});
  CHECK(script.signal("go", "2") == Lines{R"(complete [1,"late",2,3])"});
}

TEST_CASE("a signal that is there already needs no timer, whatever the timeout") {
  for (const char* timeout : {"0", "5000"}) {
    Script script(process_of("await ctx.task(work); return ctx.signal('go', { timeoutMs: " +
                             std::string(timeout) + " });"));
    script.start();
    script.signal("go", "1");
    CHECK(script.resolve(1, "0") == Lines{"complete 1"});
  }
}

TEST_CASE("a timeout of 0 takes what is there, and rejects at once when nothing is") {
  Script script(
      process_of("return ctx.signal('go', { timeoutMs: 0 })"
                 ".catch((e) => [e.name, e.message, e.timeoutMs]);"));
  CHECK(script.start() ==
        Lines{R"(complete ["SignalTimeoutError","no signal \"go\" is there",0])"});
}

TEST_CASE("a wait that lost a race still takes the next signal") {
  Script script(process_of(
      "await Promise.race([ctx.signal('go'), ctx.task(work)]); return ctx.signal('go');"));
  script.start();
  CHECK(script.resolve(1, "0") == Lines{});
  CHECK(script.signal("go", "1") == Lines{});
  CHECK(script.signal("go", "2") == Lines{"complete 2"});
}

TEST_CASE("a timer that is cancelled or fails takes its wait along") {
  Script cancelled(waiting("return wait.catch((e) => [e.name, e.reason]);"));
  cancelled.start();
  CHECK(cancelled.cancel(1, R"({"reason":"enough"})") ==
        Lines{R"(complete ["EffectCancelledError","enough"])"});
  Script failed(waiting("return wait.catch((e) => e.message);"));
  failed.start();
  CHECK(failed.reject(1, R"({"message":"no clock"})") == Lines{R"(complete "no clock")"});
  Script late(waiting("return [await wait, await ctx.task(work)];"));
  late.start();
  late.signal("go", "1");
  CHECK(late.cancel(1, "{}") == Lines{});
  CHECK(late.resolve(2, "2") == Lines{"complete [1,2]"});
}

TEST_CASE("after a timeout nothing is awaited any longer: the process can stall") {
  Script script(waiting("await wait.catch(() => new Promise(() => {}));"));
  script.start();
  CHECK(script.resolve(1, "null").at(0).starts_with("fail ProcessStalled"));
}

TEST_CASE("a wait for a signal takes timeoutMs and nothing else") {
  struct Row {
    const char* options;
    const char* said;
  };
  const std::string whole =
      "options.timeoutMs must be a whole number from 0 to 3155760000000, not ";
  for (const Row& row :
       {Row{"{ timeoutMs: -1 }", "-1"}, Row{"{ timeoutMs: 1.5 }", "1.5"},
        Row{"{ timeoutMs: '5' }", "\"5\""}, Row{"{ timeoutMs: NaN }", "NaN"},
        Row{"{ timeoutMs: Infinity }", "infinity"}, Row{"{ timeoutMs: false }", "false"},
        Row{"{ timeoutMs: 1e13 }", "10000000000000"}}) {
    INFO(row.options);
    CHECK(Script(process_of("await ctx.signal('go', " + std::string(row.options) + ");")).start() ==
          Lines{"fail TypeError: " + whole + row.said});
  }
  for (const Row& row :
       {Row{"{ timeout: 5 }", "options has no member \"timeout\": it has timeoutMs"},
        Row{"{ key: 'k' }", "ctx.signal has no options key and label: it has timeoutMs"},
        Row{"{ get timeoutMs() { return 5; } }", "options.timeoutMs is a getter: pass its value"},
        Row{"5", "options must be an object like { key, label }, not a number"},
        Row{"new Proxy({}, {})", "options must be an object like { key, label }, not an object"}}) {
    INFO(row.options);
    CHECK(Script(process_of("await ctx.signal('go', " + std::string(row.options) + ");")).start() ==
          Lines{"fail TypeError: " + std::string(row.said)});
  }
  CHECK(Script(process_of("ctx.signal('a', {}); ctx.signal('b', { timeoutMs: null });"
                          "await ctx.signal('c', null);"))
            .start() == Lines{});
}
