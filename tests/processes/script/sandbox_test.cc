// Everything that could make two replays of a process differ, attacked one by one.
#include <catch2/catch.hpp>

#include "tests/processes/script/harness.h"

using reprise::test::Lines;
using reprise::test::process_of;
using reprise::test::Script;
using reprise::test::value_of;

namespace {

struct Evaluation {
  const char* expression;
  const char* output;
};

void check_rows(const std::vector<Evaluation>& rows) {
  for (const Evaluation& row : rows) {
    INFO(row.expression);
    CHECK(value_of(row.expression) == Lines{"complete " + std::string(row.output)});
  }
}

}  // namespace

TEST_CASE("every way to the time gives the activation's time") {
  const std::string time = "1700000001000";
  for (const char* way :
       {"Date.now()", "new Date().getTime()", "+new Date", "Date.parse(new Date().toISOString())",
        "ctx.now().getTime()", "ctx.now() - 0", "new (Date.prototype.constructor)().getTime()",
        "Date.prototype.constructor.now()", "Reflect.construct(Date, []).getTime()",
        "new (class D extends Date {})().getTime()", "Date.parse(Date())",
        "new (ctx.now().constructor)().getTime()", "eval('Date.now()')",
        "new Function('return Date.now()')()", "Reflect.apply(Date.now, null, [])",
        "new (Object.getPrototypeOf(ctx.now()).constructor)().getTime()",
        ("(() => { const d = Date; globalThis.Date = null; const t = d.now(); globalThis.Date = d; "
         "return t; })()"),
        "structuredClone(new Date()).getTime()"}) {
    INFO(way);
    CHECK(value_of(way) == Lines{"complete " + time});
  }
  CHECK(value_of("ctx.now() instanceof Date") == Lines{"complete true"});
}

TEST_CASE("the clock stands still within an activation and moves with the next") {
  Script script(
      process_of("const a = Date.now(); for (let i = 0; i < 1e6; i++); const b = Date.now();"
                 "await ctx.task(work); return [b - a, Date.now() - a];"));
  script.start();
  CHECK(script.resolve(1, "0") == Lines{"complete [0,1000]"});
}

TEST_CASE("modules are evaluated with a recorded clock, too") {
  Script script("const loaded = Date.now();\nexport const process = async () => loaded;");
  CHECK(script.start() == Lines{"complete 1700000000000"});
}

TEST_CASE("random numbers come from the recorded seed, whatever the way to them") {
  auto drawn = [](uint64_t seed, const std::string& expression) {
    Script script(process_of("return " + expression + ";"));
    return script.seed(seed, 7).start();
  };
  const std::string three = "[Math.random(), Math.random(), Math.random()]";
  Lines first = drawn(1, three);
  CHECK(first == drawn(1, three));
  CHECK(first != drawn(2, three));
  CHECK(first ==
        drawn(1, "[eval('Math.random()'), new Function('return Math.random()')(), ctx.random()]"));
  CHECK(
      first ==
      drawn(1,
            "[Math['random'].call(null), Reflect.apply(Math.random, 1, []), (0, Math.random)()]"));
  CHECK(drawn(1, "ctx.uuid()") == drawn(1, "ctx.uuid()"));
  CHECK(drawn(1,
              "/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/"
              ".test(ctx.uuid())") == Lines{"complete true"});
  CHECK(drawn(3,
              "(() => { let s = 0; for (let i = 0; i < 1e5; i++) { const r = ctx.random();"
              "if (!(r >= 0 && r < 1)) return 'out'; s += r; } return Math.abs(s / 1e5 - 0.5) < "
              "0.01; })()") == Lines{"complete true"});
}

TEST_CASE("the numbers drawn from a seed never change: runs of older versions must replay") {
  CHECK(value_of("[ctx.random(), ctx.random(), ctx.uuid()]") ==
        Lines{R"(complete [0.20822741257610333,0.7868122754648383,)"
              R"("25a13b27-b26a-4e9c-a8f6-bb633ea86240"])"});
}

TEST_CASE("the time zone is UTC and the locale is English, whatever the environment says") {
  check_rows({{"new Date(2024, 6, 1).getTimezoneOffset()", "0"},
              {"new Date(2024, 6, 1, 12).toISOString()", R"("2024-07-01T12:00:00.000Z")"},
              {"Date.parse('2024-07-01T12:00')", "1719835200000"},
              {"new Date(0).toString()",
               "\"Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal Time)\""},
              {"new Date(0).toLocaleString()", R"("1/1/1970, 12:00:00 AM")"},
              {"new Date(13 * 3600e3).toLocaleTimeString('de-DE', { timeZone: 'Asia/Tokyo' })",
               R"("1:00:00 PM")"},
              {"new Date(0).toLocaleDateString('de-DE')", R"("1/1/1970")"},
              {"new Date(NaN).toLocaleString()", R"("Invalid Date")"}});
}

TEST_CASE("numbers are grouped in one fixed way") {
  check_rows({{"(1234.5).toLocaleString()", R"("1,234.5")"},
              {"(0).toLocaleString()", R"("0")"},
              {"(-0).toLocaleString()", R"("-0")"},
              {"(999).toLocaleString()", R"("999")"},
              {"(-1234567.891234).toLocaleString('de-DE')", R"("-1,234,567.891")"},
              {"(1e21).toLocaleString()", R"("1,000,000,000,000,000,000,000")"},
              {"NaN.toLocaleString()", R"("NaN")"},
              {"Infinity.toLocaleString()", "\"∞\""},
              {"(1234).toLocaleString(undefined, { minimumFractionDigits: 2 })", R"("1,234.00")"},
              {"(0.005).toLocaleString(undefined, { maximumFractionDigits: 1 })", R"("0")"},
              {"(1234.5).toLocaleString('en-US', { style: 'currency', currency: 'USD' })",
               R"("$1,234.50")"},
              {"(0.256).toLocaleString('en-US', { style: 'percent' })", R"("26%")"},
              {"(12345).toLocaleString('en-US', { useGrouping: false })", R"("12345")"},
              {"12345678901234567890n.toLocaleString()", R"("12,345,678,901,234,567,890")"},
              {"(-1234n).toLocaleString()", R"("-1,234")"},
              {"[1234.5, 1e6].toLocaleString()", R"("1,234.5,1,000,000")"},
              {"new Float64Array([1234.5]).toLocaleString()", R"("1,234.5")"}});
}

TEST_CASE("text is compared in one fixed total order") {
  check_rows(
      {{"['b', 'a', 'C', 'A', 'c', 'B'].sort((x, y) => x.localeCompare(y))",
        R"(["a","A","b","B","c","C"])"},
       {"['z', 'é', 'e', 'f', 'E', 'É'].sort((x, y) => x.localeCompare(y))",
        R"(["e","E","é","É","f","z"])"},
       {"['task2', 'taskID', 'task', 'Task', 'task_id', 'tasks', 'task1', 'task10', "
        "'taskId'].sort((x, y) =>"
        "x.localeCompare(y))",
        R"(["task","Task","task_id","task1","task10","task2","taskId","taskID","tasks"])"},
       {"['a', '1', '_', ' ', '$'].sort((x, y) => x.localeCompare(y, 'sv', { numeric: true }))",
        R"([" ","_","$","1","a"])"},
       {"['a'.localeCompare('a'), 'a'.localeCompare('b'), 'b'.localeCompare('a'), "
        "'é'.localeCompare('e\\u0301')]",
        "[0,-1,1,0]"},
       {"'I'.toLocaleLowerCase('tr') + 'i'.toLocaleUpperCase('tr')", R"("iI")"}});
}

TEST_CASE("the order of text is total: antisymmetric and transitive over a hostile alphabet") {
  CHECK(
      value_of("(() => { const letters = ['', 'a', 'A', 'á', 'Á', 'b', '-', '1', '中', '\\u0301'];"
               "const words = letters.flatMap((x) => letters.map((y) => x + y));"
               "for (const x of words) for (const y of words) {"
               "if (Math.sign(x.localeCompare(y)) !== -Math.sign(y.localeCompare(x)) + 0) return "
               "[x, y]; }"
               "words.sort((x, y) => x.localeCompare(y));"
               "for (let i = 0; i < words.length; i++) for (let j = i; j < words.length; j += 7)"
               "if (words[i].localeCompare(words[j]) > 0) return [words[i], words[j]]; return "
               "'total'; })()") == Lines{R"(complete "total")"});
}

TEST_CASE("what could observe anything else is not there") {
  for (const char* name : {"Intl",
                           "WebAssembly",
                           "WeakRef",
                           "FinalizationRegistry",
                           "SharedArrayBuffer",
                           "Atomics",
                           "performance",
                           "setTimeout",
                           "setInterval",
                           "setImmediate",
                           "requestAnimationFrame",
                           "fetch",
                           "XMLHttpRequest",
                           "WebSocket",
                           "require",
                           "process",
                           "module",
                           "Buffer",
                           "Deno",
                           "Bun",
                           "navigator",
                           "Worker",
                           "crypto",
                           "gc",
                           "print",
                           "load",
                           "read",
                           "quit",
                           "Debugger",
                           "uneval",
                           "os",
                           "std",
                           "scriptArgs",
                           "ReadableStream",
                           "importScripts"}) {
    INFO(name);
    CHECK(value_of("[typeof globalThis." + std::string(name) + ", '" + name +
                   "' in globalThis,"
                   "Object.getOwnPropertyNames(globalThis).includes('" +
                   name + "')]") == Lines{R"(complete ["undefined",false,false])"});
  }
  check_rows({{"typeof ({}).toSource", R"("undefined")"},
              {"typeof Reflect.parse", R"("undefined")"},
              {"eval('typeof Intl') + new Function('return typeof WebAssembly')()",
               R"("undefinedundefined")"}});
}

TEST_CASE("errors say nothing about the machine: only the script's own names are in a stack") {
  Script script(
      process_of("const f = () => { throw new Error('x'); };"
                 "try { eval('f()'); } catch (e) { return e.stack; }"));
  CHECK(script.start() == Lines{"complete \"Error: x\\n    at f (reprise:/process/main.js:4:25)\\n"
                                "    at reprise:/process/main.js line 4 > eval:1:1\\n"
                                "    at process (reprise:/process/main.js:4:49)\""});
}

TEST_CASE("later additions to the language are there, and pure") {
  check_rows(
      {{"[1, 2, 3, 4].findLast((n) => n % 2)", "3"},
       {"[1, 2, 3, 4].findLastIndex((n) => n > 9)", "-1"},
       {"(() => { const a = [3, 1, 2]; return [a.toSorted(), a.toReversed(), a.with(-1, 9), "
        "a.toSpliced(1, 1, 7, 8), a]; })()",
        "[[1,2,3],[2,1,3],[3,1,9],[3,7,8,2],[3,1,2]]"},
       {"[[1, 2].toSpliced(), [1, 2].toSpliced(1), [1, 2].toSpliced(-1, 1, 5)]",
        "[[1,2],[1],[1,5]]"},
       {"Object.groupBy([1, 2, 3], (n) => (n % 2 ? 'odd' : 'even'))",
        R"({"odd":[1,3],"even":[2]})"},
       {"(() => { const o = { a: new Date(0), m: [...new Map([[1, { b: 2 }]])] }; const c = "
        "structuredClone(o);"
        "return [c, c === o, c.a instanceof Date]; })()",
        R"([{"a":"1970-01-01T00:00:00.000Z","m":[[1,{"b":2}]]},false,true])"},
       {"await new Promise((resolve) => queueMicrotask(() => resolve('later')))", R"("later")"},
       {"await (() => { const { promise, resolve } = Promise.withResolvers(); resolve(1); return "
        "promise; })()",
        "1"},
       {"Object.keys(Array.prototype).length + Object.keys(globalThis).length", "0"}});
  CHECK(value_of("[1].with(5, 0)").at(0).starts_with("fail RangeError"));
  CHECK(value_of("structuredClone(() => 1)").at(0).starts_with("fail "));
}

TEST_CASE("an error in a microtask fails the run like any unhandled rejection") {
  CHECK(value_of("(queueMicrotask(() => { throw new Error('micro'); }), await null, 1)") ==
        Lines{"fail Error: micro"});
}

TEST_CASE("trigonometry does not come from the system's library") {
  check_rows({{"[Math.sin(1e10), Math.cos(1e10), Math.tan(0.5)]",
               "[-0.4875060250875107,0.873119622676856,0.5463024898437905]"}});
}

TEST_CASE("ctx has exactly these members") {
  check_rows({{"Object.keys(ctx).sort()",
               R"(["artifactsDir","breakpoint","emit","halt","hook","log","memory","now",)"
               R"("onCleanup","orchestratorTask","parallel","random","run","runDir","runId",)"
               R"("signal","sleepUntil","task","uuid"])"},
              {"[ctx.runId, ctx.runDir, ctx.artifactsDir]",
               R"(["run-1","/home/runs/run-1","/home/runs/run-1/artifacts"])"},
              {"[typeof ctx.agent, typeof ctx.checkpoint]", R"(["undefined","undefined"])"}});
}
