// Scripts that loop, recurse, allocate or break the engine: nothing of them may be recorded,
// whatever they catch.
#include <catch2/catch.hpp>
#include <csignal>

#include "tests/processes/script/child.h"

using reprise::test::ChildResult;
using reprise::test::ChildScript;
using reprise::test::run_in_child;

namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

bool is_budget(const ChildResult& result, const std::string& budget) {
  return result.exit_code == 0 &&
         result.status.starts_with("BUDGET {\"budget\":\"" + budget + "\"");
}

}  // namespace

TEST_CASE("the CPU budget ends what never ends, and nothing can catch it") {
  for (const char* body : {
           "for (;;);",
           "try { for (;;); } catch { return 'caught'; } finally { return 'finally'; }",
           ("const f = async () => { try { for (;;); } catch {} return 1; }; "
            "return f().catch(() => 2).finally(() => 3);"),
           "while (true) await null;",
           "const again = () => Promise.resolve().then(again); await again();",
           "queueMicrotask(function f() { queueMicrotask(f); }); await ctx.task(work);",
           "new Array(1e6).fill(0).sort(() => { for (;;); });",
           "[...(function* () { for (;;) yield 1; })()].length;",
           "return /^(a+)+$/.test('a'.repeat(60) + 'b');",
           "return new Proxy({}, { get() { for (;;); } }).x;",
           "const t = defineTask('t', () => { for (;;); }); await ctx.task(t);",
           "const t = defineTask('t', async () => { for (;;) await null; }); await ctx.task(t);",
           "ctx.onCleanup(() => { for (;;); }); return 1;",
           "await ctx.parallel.map([1], () => { for (;;); });",
           "Object.defineProperty(Object.prototype, 'then', { get() { for (;;); } }); return {};",
           "return JSON.stringify(new Array(3e8).fill(1)).length;",
           "module:for (;;);",
           "module:await (async () => { for (;;) await 1; })();",
       }) {
    INFO(body);
    ChildResult result = run_in_child({body, 200});
    INFO(result.output);
    CHECK(is_budget(result, "cpu"));
  }
}

TEST_CASE("builtins that never look up are ended by the hard limit") {
  for (const char* body : {"return BigInt('9'.repeat(3e5)) > 0n;",
                           "return 'a'.repeat(2 ** 23).indexOf('a'.repeat(2 ** 22) + 'b');"}) {
    INFO(body);
    ChildResult result = run_in_child({body, 100});
    CHECK(result.exit_code == 9);
    CHECK(result.output.find("the engine crashed") != std::string::npos);
    CHECK(result.output.find("{\"crashed\":true}") != std::string::npos);
    CHECK(result.status.empty());
  }
}

TEST_CASE("recursion to the limit voids the activation, caught or not") {
  for (const char* body : {
           "const f = () => f() + 1; return f();",
           "const f = () => f() + 1; try { f(); } catch (e) { return 'caught ' + e.message; }",
           "const f = (n) => [n].map((x) => f(x + 1)); try { f(0); } catch { return 1; }",
           "return Promise.resolve().then(function f() { return f() + 1; }).catch(() => 'caught');",
           "let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); try { return p.x; } "
           "catch { return 1; }",
           "let o = []; for (let i = 0; i < 1e6; i++) o = [o]; try { return "
           "JSON.stringify(o).length; } catch { return 1; }",
           "class A { constructor() { return new A(); } } try { new A(); } catch { return 1; }",
           "try { eval('('.repeat(1e6)); } catch { return 1; }",
           "const o = { toString() { return '' + o; } }; try { '' + o; } catch { return 1; }",
           "function* g() { yield* g(); } try { [...g()]; } catch { return 1; }",
           "let s = 'return 1'; const fs = []; for (let i = 0; i < 5e4; i++) { const j = i; "
           "fs.push(new Function('fs',"
           "`return ${j} + (fs[${j} + 1] ? fs[${j} + 1](fs) : 0)`)); } try { fs[0](fs); } catch { "
           "return 1; }",
       }) {
    INFO(body);
    ChildResult result = run_in_child({body, 60'000});
    INFO(result.output);
    CHECK(is_budget(result, "recursion"));
  }
}

TEST_CASE("recursion through very many functions that are all cold is seen, too") {
  constexpr int kFunctions = 6500;
  std::string body = "const all = [";
  for (int i = 1; i <= kFunctions; i++) {
    body += "()=>1+all[" + std::to_string(i % kFunctions) + "](),";
  }
  body += "]; try { all[0](); } catch { return 1; }";
  ChildResult result = run_in_child({body, 60'000});
  INFO(result.output);
  CHECK(is_budget(result, "recursion"));
}

TEST_CASE("recursion in moderation is no matter") {
  for (const char* body :
       {"const f = (n) => (n ? f(n - 1) + 1 : 0); return f(5000);",
        "let o = 1; for (let i = 0; i < 500; i++) o = [o]; return JSON.stringify(o).length;"}) {
    INFO(body);
    CHECK(run_in_child({body}).status.starts_with("complete "));
  }
}

TEST_CASE("the memory budget ends what grows without end, caught or not") {
  for (const char* body : {
           "const a = []; for (;;) a.push({ x: a.length });",
           "const m = new Map(); for (let i = 0; ; i++) m.set(i, 'x' + i);",
           "const a = []; for (;;) a.push(new ArrayBuffer(1 << 20));",
           "const a = []; for (;;) a.push(new Float64Array(1e5).fill(1));",
           "const a = []; let s = 'x'; for (let i = 0; ; i++) { a.push((s + i).repeat(1e5)); "
           "a[a.length - 1].charCodeAt(5); }",
           "try { const a = []; for (;;) a.push(new Array(1e5).fill(1.5)); } catch { return "
           "'caught'; }",
           "for (let i = 0; ; i++) ctx.log('x'.repeat(1e5));",
           "for (let i = 0; ; i++) ctx.task(work, { i, text: 'x'.repeat(1e4) });",
           "const grow = async () => { const keep = []; for (;;) { keep.push(new "
           "Array(1e4).fill({})); await null; } };"
           "await grow();",
       }) {
    INFO(body);
    ChildResult result = run_in_child({body, 120'000, 64 * kMiB});
    INFO(result.output);
    bool hard = result.exit_code == 9 && result.status.empty();
    CHECK((is_budget(result, "memory") || hard));
  }
}

#ifndef REPRISE_SANITIZED  // which watch these signals themselves, and need the address space
TEST_CASE("a crash of the engine is exit 9 with the prepared texts") {
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGFPE, SIGTRAP}) {
    ChildResult result = run_in_child({"crash:" + std::to_string(signal)});
    INFO(signal << ": " << result.output);
    CHECK(result.exit_code == 9);
    CHECK(result.output == "the engine crashed\n{\"crashed\":true}\n");
  }
}

TEST_CASE("one allocation beyond the hard limit is the memory budget, even if it is caught") {
  ChildResult result =
      run_in_child({"const a = []; try { for (;;) a.push(new Uint8Array(200e6).fill(1)); } catch { "
                    "a.length = 0; return 'caught'; }",
                    60'000, 64 * kMiB});
  INFO(result.output);
  CHECK((is_budget(result, "memory") || result.exit_code == 9));
}
#endif

TEST_CASE("the environment does not reach the script") {
  for (const char* variable :
       {"TZ=Asia/Tokyo", "LC_ALL=de_DE.UTF-8", "LANG=tr_TR.UTF-8", "LC_TIME=ar_EG.UTF-8"}) {
    INFO(variable);
    ChildScript script{
        "return [new Date(0).toString(), new Date(0).getHours(), (1234.5).toLocaleString(), "
        "'I'.toLowerCase()];"};
    script.environment = variable;
    CHECK(run_in_child(script).status ==
          "complete [\"Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal "
          "Time)\",0,\"1,234.5\",\"i\"];");
  }
}
