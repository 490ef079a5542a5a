// How activations and processes end: output, failure, halt, stall, cleanup, logs.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/processes/script/harness.h"

using nlohmann::json;
using reprise::test::Lines;
using reprise::test::process_of;
using reprise::test::Script;

namespace {

json failure_of(Script& script) {
  script.start();
  REQUIRE(script.commands().size() == 1);
  REQUIRE(script.commands()[0].kind == REPRISE_FAIL);
  return json::parse(script.commands()[0].json);
}

}  // namespace

TEST_CASE("an error fails the run with name, message, stack and place") {
  Script script(
      "export async function process() {\n  const inner = () => { throw new RangeError('too far'); "
      "};\n"
      "  inner();\n}\n");
  json error = failure_of(script);
  CHECK(error["name"] == "RangeError");
  CHECK(error["message"] == "too far");
  CHECK(error["file"] == "main.js");
  CHECK(error["line"] == 2);
  CHECK(error["column"] == 31);
  CHECK(error["stack"] ==
        "RangeError: too far\n    at inner (reprise:/process/main.js:2:31)\n"
        "    at process (reprise:/process/main.js:3:3)");
}

TEST_CASE("an error keeps its chain of causes, and its class's name") {
  Script script(
      "class Bad extends Error { name = 'Bad'; }\n"
      "export async function process() { throw new Bad('outer', { cause: new TypeError('inner', { "
      "cause: 7 }) }); }");
  json error = failure_of(script);
  CHECK(error["name"] == "Bad");
  CHECK(error["cause"]["name"] == "TypeError");
  CHECK(error["cause"]["message"] == "inner");
  CHECK(error["cause"]["cause"]["message"] == "7");
}

TEST_CASE("anything can be thrown, and nothing of it runs") {
  struct Row {
    const char* thrown;
    const char* line;
  };
  for (const Row& row :
       {Row{"'text'", "fail Error: text"}, Row{"42", "fail Error: 42"},
        Row{"null", "fail Error: null"}, Row{"undefined", "fail Error: undefined"},
        Row{"Symbol('s')", "fail Error: null"},
        Row{"{ name: 'Odd', message: 'shape' }", "fail Odd: shape"},
        Row{"{ code: 7 }", R"(fail Error: {"code":7})"},
        Row{"new Proxy(new Error('x'), {})", "fail Error: an object"},
        Row{"Object.defineProperty(new Error('x'), 'message', { get() { ctx.log('ran'); return "
            "'y'; } })",
            "fail Error: "},
        Row{"{ get message() { ctx.log('ran'); return 'y'; } }", "fail Error: an object"},
        Row{"Object.assign(new Error('m'), { toString() { ctx.log('ran'); } })",
            "fail Error: m"}}) {
    Script script(process_of("throw " + std::string(row.thrown) + ";"));
    INFO(row.thrown);
    CHECK(script.start() == Lines{row.line});
  }
}

TEST_CASE("frames of the prelude are not in a recorded stack") {
  Script script(process_of(
      "await ctx.parallel.all([async () => { await null; throw new Error('deep'); }]);"));
  json error = failure_of(script);
  CHECK(error["stack"].get<std::string>().find("reprise:/internal/") == std::string::npos);
  CHECK(error["line"] == 4);
}

TEST_CASE("an activation that throws gives up what it asked for, and its numbers") {
  Script script(
      process_of("await ctx.task(work, 1); ctx.task(work, 2); ctx.emit('e', 1); ctx.log('kept');"
                 "throw new Error('after asking');"));
  script.start();
  CHECK(script.resolve(1, "0") == Lines{"log : kept", "fail Error: after asking"});
  CHECK(script.highest_effect() == 1);
}

TEST_CASE("a rejection that nobody handles by the end of the activation fails the run") {
  CHECK(Script(process_of("Promise.reject(new Error('lost')); await ctx.task(work);")).start() ==
        Lines{"fail Error: lost"});
  CHECK(Script(process_of("Promise.reject(new Error('lost')); return 1;")).start() ==
        Lines{"fail Error: lost"});
  CHECK(Script(
            process_of(
                "(async () => { await null; throw new Error('later'); })(); await ctx.task(work);"))
            .start() == Lines{"fail Error: later"});
}

TEST_CASE("a rejection that is handled in the same activation is fine, also when late") {
  Script script(
      process_of("const p = Promise.reject(new Error('x')); await null; await null;"
                 "p.catch(() => {}); await ctx.task(work); return 1;"));
  CHECK(script.start().size() == 1);
  CHECK(script.resolve(1, "0") == Lines{"complete 1"});
}

TEST_CASE("a process that waits for nothing has stalled") {
  Lines lines = Script(process_of("await new Promise(() => {});")).start();
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].starts_with(
      "fail ProcessStalled: the process neither ended nor waits for anything"));
  Script later(process_of("await ctx.task(work); await new Promise(() => {});"));
  later.start();
  CHECK(later.resolve(1, "0").at(0).starts_with("fail ProcessStalled"));
}

TEST_CASE("a process that awaits a signal has not stalled") {
  CHECK(Script(process_of("await ctx.signal('go');")).start() == Lines{});
}

TEST_CASE("halt ends the process there and then: no catch, no finally, nothing after it") {
  Script script(
      process_of("ctx.task(work, 1); Promise.resolve().then(() => ctx.task(work, 3));"
                 "try { ctx.halt('enough', { left: 2 }); } catch (e) { ctx.task(work, 2); }"
                 "finally { ctx.log('finally'); } ctx.log('after');"));
  CHECK(script.start() == Lines{"request t1 work shell 1", R"(halt enough {"left":2})"});
  CHECK(script.resolve(1, "0").at(0).starts_with("BUG"));
}

TEST_CASE("the first end counts: a halt after the return is ignored, as are calls") {
  Script script(
      process_of("(async () => { await null; await null; await null; ctx.task(work); ctx.emit('x');"
                 "ctx.halt('late'); })(); return 'first';"));
  CHECK(script.start() == Lines{R"(complete "first")"});
}

TEST_CASE("the older way to halt is a return value") {
  CHECK(Script(process_of("return { halt: true, reason: 'no budget', n: 1 };")).start() ==
        Lines{R"(halt no budget {"halt":true,"reason":"no budget","n":1})"});
  CHECK(Script(process_of("return { halt: true, phase: 'plan' };"))
            .start()
            .at(0)
            .starts_with("halt plan "));
  CHECK(Script(process_of("return { halt: 'yes', reason: 'x' };"))
            .start()
            .at(0)
            .starts_with("complete "));
}

TEST_CASE("an output that cannot be written down fails the run and says where") {
  CHECK(Script(process_of("return { a: [1, ctx.task(work)] };")).start() ==
        Lines{"fail TypeError: the output.a[1] is a Promise: await it first"});
}

TEST_CASE("cleanups run when the process ends, last first, and not while it waits") {
  Script script(
      process_of("ctx.onCleanup(() => ctx.log('one')); ctx.onCleanup(async () => { await null; "
                 "ctx.log('two'); });"
                 "await ctx.task(work); return 1;"));
  CHECK(script.start() == Lines{"request t1 work shell null"});
  Lines lines = script.resolve(1, "0");
  CHECK(lines == Lines{"complete 1", "log : two", "log : one"});
}

TEST_CASE(
    "cleanups run after failures and halts, too; what they throw is logged, what they ask for "
    "ignored") {
  Lines lines =
      Script(process_of("ctx.onCleanup(() => { ctx.task(work); throw new Error('untidy'); });"
                        "throw new Error('real');"))
          .start();
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].starts_with(R"(log cleanup: {"name":"Error","message":"untidy")"));
  CHECK(lines[1] == "fail Error: real");
  CHECK(Script(process_of("ctx.onCleanup(() => ctx.log('tidy')); ctx.halt('h');")).start() ==
        Lines{"halt h ", "log : tidy"});
}

TEST_CASE("onCleanup and halt say what they need") {
  CHECK(Script(process_of("ctx.onCleanup('x');")).start() ==
        Lines{"fail TypeError: ctx.onCleanup needs a function, not a string"});
  CHECK(Script(process_of("ctx.halt(5);")).start() ==
        Lines{"fail TypeError: ctx.halt needs the reason, a string, not a number"});
}

TEST_CASE("logs have a label or none, and take any data") {
  Script script(process_of(
      "ctx.log('plain'); ctx.log('info', 'text'); ctx.log('x', { obj: [1] }); ctx.log({ a: 1 });"
      "ctx.log('many', 1, 'b', undefined); ctx.log('odd', new Map(), 10n, () => 1);"
      "console.log('a', 1); console.warn('w'); console.error({ e: 1 }); console.debug('d');"));
  CHECK(script.start() ==
        Lines{"log : plain", "log info: text", R"(log x: {"obj":[1]})", R"(log : {"a":1})",
              "log many: 1 b undefined", "log odd: [an object] [a BigInt] null", "log info: a 1",
              "log warn: w", R"(log error: {"e":1})", "log debug: d", "complete null"});
}

TEST_CASE("several scripts live side by side, each with its own world") {
  Script first(process_of("globalThis.mine = 1; await ctx.task(work); return globalThis.mine;"));
  Script second(
      process_of("await ctx.task(work); return [typeof globalThis.mine, Math.random()];"));
  Script alone(process_of("await ctx.task(work); return [typeof globalThis.mine, Math.random()];"));
  first.start();
  second.start();
  Lines together = second.resolve(1, "0");
  CHECK(first.resolve(1, "0") == Lines{"complete 1"});
  alone.start();
  CHECK(alone.resolve(1, "0") == together);
}
