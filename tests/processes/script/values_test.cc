// Values that cross the border: exact text, and no user code on the way.
#include <catch2/catch.hpp>

#include "tests/processes/script/harness.h"

using reprise::test::Lines;
using reprise::test::process_of;
using reprise::test::Script;
using reprise::test::value_of;

namespace {

// The line of a process that passes a value as arguments.
std::string args_of(const std::string& value) {
  Script script(process_of("await ctx.task(work, " + value + ");"));
  script.heap(uint64_t{4} << 30);  // some values are large, and sanitizers make them larger
  return script.start().at(0);
}

}  // namespace

TEST_CASE("numbers are written as JavaScript prints them") {
  Script script(process_of("const numbers = inputs; return numbers.map((n) => [n, String(n)]);"));
  const std::string inputs =
      "[0, 1, -1, 1.5, 0.1, 1e21, 1e20, 123456789012345680000, 1e-6, 1e-7, 1.25e-9, 5e-324, "
      "1.7976931348623157e308,"
      "123.456, -0.000001, 4294967296, 9007199254740993, 0.30000000000000004, 1e100, -2.5e-10, "
      "100, 1e22, 2147483648]";
  std::string line = script.start(inputs).at(0);
  // Each pair is the number and its text: equal but for the quotes.
  size_t pairs = 0;
  for (size_t at = line.find('['); (at = line.find('[', at + 1)) != std::string::npos; ++pairs) {
    size_t comma = line.find(',', at);
    size_t end = line.find(']', at);
    CHECK("\"" + line.substr(at + 1, comma - at - 1) + "\"" ==
          line.substr(comma + 1, end - comma - 1));
  }
  CHECK(pairs == 23);
}

TEST_CASE("the output is what JSON.stringify would write") {
  for (const char* value :
       {"{ a: undefined, b: () => 1, c: Symbol('x'), d: null }",
        "[undefined, () => 1, Symbol('x'), , 1]",
        "NaN",
        "-Infinity",
        "-0",
        "new Date(1e12)",
        "new Date(NaN)",
        "{ 2: 'b', 1: 'a', z: 1, y: 2 }",
        "'\\u2028\\n\\t\\b\\f\\r\\\\\"\\u0001\\u007f'",
        "'äöü € 😀 中'",
        "{ 'ä \"q\"': 1, '': 2 }",
        "new Error('x')",
        "/re/g",
        "[[], {}, [[]]]",
        "Object.create({ inherited: 1 })",
        "Object.defineProperty({ a: 1 }, 'hidden', { value: 1, enumerable: false })",
        "{ [Symbol('s')]: 1, a: 1 }",
        "new (class A { x = 1; #y = 2; m() {} })()",
        "true",
        "'text'"}) {
    INFO(value);
    CHECK(value_of(value) == value_of("JSON.parse(JSON.stringify(" + std::string(value) + "))"));
  }
}

TEST_CASE(
    "arguments have their members sorted by bytes at every depth, the definition keeps the "
    "author's order") {
  CHECK(
      args_of("{ z: 1, a: { Z: 1, b: [{ d: 1, c: 2 }], ä: 1, _: 2 }, 10: 0, 9: 0 }") ==
      R"(request t1 work shell {"10":0,"9":0,"a":{"Z":1,"_":2,"b":[{"c":2,"d":1}],"ä":1},"z":1})");
  CHECK(args_of("{ '\\uffff': 1, '\\u{1f600}': 2 }") ==
        "request t1 work shell {\"\uffff\":1,\"\U0001f600\":2}");
  CHECK(args_of("{ 'a\"': 1, 'a!': 2, 'a\\n': 3 }") ==
        R"(request t1 work shell {"a\n":3,"a!":2,"a\"":1})");
  CHECK(args_of("undefined") == "request t1 work shell null");
}

TEST_CASE("what has no faithful JSON is a TypeError that names the place") {
  struct Row {
    const char* value;
    const char* said;
  };
  for (const Row& row : {
           Row{"{ a: [1, { b: 10n }] }", "args.a[1].b is a BigInt"},
           Row{"{ m: new Map() }", "args.m is a Map: use Object.fromEntries(map) or [...map]"},
           Row{"{ m: new Set() }", "args.m is a Set: use [...set]"},
           Row{"[Promise.resolve(1)]", "args[0] is a Promise: await it first"},
           Row{"{ p: new Proxy({}, {}) }", "args.p is a Proxy"},
           Row{"new Proxy([], {})", "args is a Proxy"},
           Row{"{ get a() { return 1; } }", "args.a is a getter: pass its value"},
           Row{"{ toJSON() { return 1; } }", "args has a toJSON method"},
           Row{"new (class { toJSON() { return 1; } })()", "args has a toJSON method"},
           Row{"{ s: '\\ud800' }", "args.s is text with half of a surrogate pair"},
           Row{"{ s: 'x\\udc00y' }", "args.s is text with half of a surrogate pair"},
           Row{"{ '\\ud800': 1 }", "args has a member name that is not Unicode text"},
           Row{"(() => { const o = {}; o.self = [o]; return o; })()",
               "args.self[0] contains itself (a cycle)"},
           Row{"(() => { let o = 1; for (let i = 0; i < 513; i++) o = [o]; return o; })()",
               "is nested deeper than 512 levels"},
           Row{"'x'.repeat(65 * 1024 * 1024)", "args is larger than 64 MiB"},
           Row{"new Array(4e9)", "args is larger than 64 MiB"},
           Row{"new Number(1)", "args is a boxed primitive"},
       }) {
    INFO(row.value);
    std::string line = args_of(row.value);
    CHECK(line.starts_with("fail TypeError: args"));
    CHECK(line.find(row.said) != std::string::npos);
  }
  CHECK(args_of("(() => { let o = 1; for (let i = 0; i < 512; i++) o = [o]; return o; })()")
            .starts_with("request"));
}

TEST_CASE("the same object twice is no cycle") {
  CHECK(args_of("(() => { const o = { x: 1 }; return [o, o, { o }]; })()") ==
        R"(request t1 work shell [{"x":1},{"x":1},{"o":{"x":1}}])");
}

TEST_CASE("no getter, trap, toJSON or prototype method runs while a value is read") {
  const std::string spy =
      "let ran = 0; const spy = () => { ran++; return 1; };"
      "Object.prototype.toJSON = spy; Array.prototype.toJSON = spy; Date.prototype.toJSON = spy;"
      "Date.prototype.toISOString = spy; Number.prototype.toString = spy;"
      "Object.defineProperty(Array.prototype, 1, { get: spy, configurable: true });"
      "String.prototype.toJSON = spy; Array.prototype[Symbol.iterator] = spy;";
  Script script(
      process_of(spy + "const p = ctx.task(work, { d: new Date(0), a: [1, , 3], n: 1, s: 'x' });"
                       "delete Object.prototype.toJSON; await p; return ran;"));
  CHECK(script.start() ==
        Lines{R"(request t1 work shell {"a":[1,null,3],"d":"1970-01-01T00:00:00.000Z","n":1,)"
              R"("s":"x"})"});
  CHECK(script.resolve(1, "0") == Lines{"complete 0"});
}

TEST_CASE("a value cannot ask for effects while it is read") {
  for (const char* value :
       {"{ get a() { ctx.task(work, 2); return 1; } }", "{ toJSON() { ctx.task(work, 2); } }",
        "new Proxy({ a: 1 }, { ownKeys() { ctx.task(work, 2); return []; } })"}) {
    INFO(value);
    CHECK(args_of(value).starts_with("fail TypeError: args"));
  }
}

TEST_CASE("results arrive without running setters, and __proto__ is only a name") {
  Script script(process_of(
      "let ran = 0; Object.defineProperty(Object.prototype, 'evil', { set() { ran++; } });"
      "const r = await ctx.task(work);"
      "return [ran, Object.getPrototypeOf(r) === Object.prototype, Object.keys(r), r.evil];"));
  script.start();
  CHECK(script.resolve(1, R"({"evil":1,"__proto__":{"x":1}})") ==
        Lines{R"(complete [0,true,["evil","__proto__"],1])"});
}

TEST_CASE("a patched Promise, Object or Array does not reach into calls or results") {
  Script script(process_of(R"(
    const patched = (name) => () => { throw new Error('patched ' + name); };
    Promise.prototype.then = patched('then');
    Promise.resolve = patched('resolve');
    Object.freeze = Object.defineProperty = Object.keys = Reflect.apply = patched('Object');
    Array.prototype.push = Array.prototype.map = patched('Array');
    Array.prototype[Symbol.iterator] = patched('iterator');
    Function.prototype.call = Function.prototype.apply = patched('Function');
    String.prototype.padStart = String.prototype.slice = patched('String');
    Object.prototype.key = Object.prototype.label = 'polluted';
    Object.prototype.maxConcurrency = 1;
    Object.prototype.get = Object.prototype.set = patched('descriptor');
    const a = await ctx.parallel.map([1, 2], (n) => ctx.task(work, { n }, {}));
    queueMicrotask(() => {});
    return [a[0], a[1], (1234).toLocaleString(), 'a'.localeCompare('b'), ctx.now().getTime()];)"));
  CHECK(script.start() ==
        Lines{R"(request t1 work shell {"n":1})", R"(request t2 work shell {"n":2})"});
  CHECK(script.commands().at(0).key.empty());
  CHECK(script.commands().at(0).label == "work");
  script.resolve(1, "10");
  CHECK(script.resolve(2, "20").at(0).starts_with(R"(complete [10,20,"1,234",-1,)"));
}

TEST_CASE("a getter for `then` on Object.prototype runs at most the script's own code") {
  Script script(
      process_of("let ran = 0; const r = ctx.task(work);"
                 "Object.defineProperty(Object.prototype, 'then', { get() { ran++; return "
                 "undefined; }, configurable: true });"
                 "await r; delete Object.prototype.then; return ran > 0;"));
  CHECK(script.start().size() == 1);
  CHECK(script.resolve(1, R"({"a":1})") == Lines{"complete true"});
}
