#include "engine/source_calls.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

using namespace reprise;

namespace {

/// "timeoutMS@2 ..." of the slips that are found.
std::string slips(std::string_view source) {
  std::string out;
  for (const auto& fault : find_call_faults(source, read_tokens(source), "c")) {
    if (fault.code != "MISSPELT_OPTION") continue;
    const auto from = fault.message.find('"') + 1;
    out += (out.empty() ? "" : " ") +
           fault.message.substr(from, fault.message.find('"', from) - from) + "@" +
           std::to_string(fault.place.line);
  }
  return out;
}

/// How many definitions nobody could perform.
size_t unperformable(const std::string& definition) {
  const auto source = "defineTask('a', () => (" + definition + "))";
  const auto faults = find_call_faults(source, read_tokens(source), "ctx");
  return static_cast<size_t>(std::ranges::count(faults, "UNPERFORMABLE_TASK", &ShapeFault::code));
}

/// The lines on which an await is missing.
std::string unawaited(std::string_view source) {
  std::string out;
  for (const auto& fault : find_call_faults(source, read_tokens(source), "c")) {
    if (fault.code == "MISSING_AWAIT") out += " " + std::to_string(fault.place.line);
  }
  return out;
}

}  // namespace

TEST_CASE("Options that are nearly known ones are found, with their lines") {
  CHECK(
      slips(
          "await ctx.task(t, { a: 1 },\n { timeoutMS: 1, onlost: 'fail',\n outputschema: {} })") ==
      "timeoutMS@2 onlost@2 outputschema@3");
  CHECK(slips("c.task(t, {}, { timeout: 5, retries: 3, lable: 'x', 'onLosst': 1 })") ==
        "timeout@1 retries@1 lable@1 onLosst@1");
  CHECK(slips("ctx.breakpoint({ question },\n { aprovers: ['ada'], expire: 1 })") ==
        "aprovers@2 expire@2");
  CHECK(slips("ctx.breakpoint({ question: 'x',\n aprovers: ['ada'], expire: 'now' })") ==
        "aprovers@2 expire@2");
  CHECK(slips("ctx.parallel.map(list, (x) => f(x),\n { maxConcurency: 1 })") == "maxConcurency@2");
  CHECK(slips("c.parallel.all([f, g], { limit: 1, maxConcurrency: 2 })") == "limit@1");
}

TEST_CASE("Options that are known, and those that are near nothing, are let be") {
  for (const auto* source :
       {"ctx.task(t, { timeout: 5, lable: 1 })",
        "ctx.task(t, {}, { key, label: f(a, { lable: 1 }), timeoutMs: 1, retry: { maxAttempts: 3 "
        "}, "
        "onLost: 'ask', outputSchema: { tytle: 1 } })",
        "ctx.task(t, {}, { priority: 1, ...rest, [timeout]: 1 })", "ctx.task(t, {}, options)",
        "ctx.breakpoint({ title, question, context, expert: 'x', experts: [], tags: [] })",
        "ctx.breakpoint({ approvers: ['ada'], quorum: 1 }, { expires })",
        "ctx.parallel.map(list, f, { maxConcurrency: 1, ...more })",
        "ctx.parallel.all([f], options)", "other.task(t, {}, { timeout: 1 })",
        "a.ctx.task(t, {}, { timeout: 1 })", "// ctx.task(t, {}, { timeout: 1 })"}) {
    INFO(source);
    CHECK(slips(source).empty());
  }
}

TEST_CASE("Definitions that are written out are looked at, however they are returned") {
  CHECK(slips("defineTask('a', () => ({ kind: 'shell',\n shel: {} }))") == "shel@2");
  CHECK(slips("defineTask('a', (args) => {\n return { kind: 'agent', timeout: 3 };\n})") ==
        "timeout@2");
  CHECK(slips("defineTask({ id: 'a', kind: 'agent', outputSchem: {} })") == "outputSchem@1");
  CHECK(slips("defineTask('a', { kind: 'shell', shell: { comand: 'x', arg: 1 } })") == "comand@1");
}

TEST_CASE("What a definition has of its author's own is let be") {
  for (const auto* source :
       {"defineTask('a', () => ({ kind: 'agent', title, description, labels, agent: { nam: 1 }, "
        "io: {}, input: 1, output: 2, model: 'x', note: 1, mode: 2, age: 3, metadata: {} }))",
        "defineTask('a', () => ({ kind: 'node', node: { entry: 'x' }, skill: {} }))",
        "defineTask('a', ({ list }) => helper(list.map((x) => ({ timeout: x }))))"}) {
    INFO(source);
    CHECK(slips(source).empty());
  }
}

TEST_CASE("Definitions of kinds that are built in need what is run") {
  for (const auto* definition :
       {"{ kind: 'shell', shel: { command } }", "{ kind: 'shell', command: 'make' }",
        "{ kind: 'shell', shell: { cmd: 'make' } }", "{ kind: 'shell', shell: { command: '' } }",
        "{ kind: 'shell', shell: 'make' }", "{ kind: 'shell' }", "{ kind: 'node', args: [] }",
        "{ kind: 'node', node: { args: [] } }", "{ kind: 'node', entry: 'x.js' }"}) {
    INFO(definition);
    CHECK(unperformable(definition) == 1);
  }
  for (const auto* definition :
       {"{ kind: 'shell', shell: { command } }", "{ kind: 'shell', shell: { command: `a ${b}` } }",
        "{ kind: 'shell', shell: { args: ['a'] } }", "{ kind: 'shell', shell: { ...rest } }",
        "{ kind: 'shell', shell }", "{ kind: 'shell', shell: make() }",
        "{ kind: 'shell', ...rest }", "{ kind: 'shell', node: { entry: 'x.js' } }",
        "{ kind: 'node', node: { entry } }", "{ kind: 'agent', agent: {} }", "{ kind: 'deploy' }",
        "{ kind, command }",
        "{ kind: 'shell', run(args) { return { shell: { command: 'x' } }; } }"}) {
    INFO(definition);
    CHECK(unperformable(definition) == 0);
  }
}

TEST_CASE("Calls whose promise nobody takes are found, with semicolons and without") {
  CHECK(unawaited("{\n ctx.task(a, {});\n c.breakpoint({});\n}") == " 2 3");
  CHECK(unawaited("const a = 1\nctx.run('x')\nconst b = f()\nctx.hook('y')\n") == " 2 4");
  CHECK(unawaited("if (a)\n ctx.sleepUntil(b);") == " 2");
  CHECK(unawaited("list.forEach(async (i) => {\n await ctx.task(a, i); });") == " 1");
  CHECK(unawaited("for (const x of [1, 2]) ctx.task(a, { x });") == " 1");
  CHECK(unawaited("if (a) ctx.task(b); else c.task(d);\ndo ctx.run('x'); while (a);") == " 1 1 2");
  CHECK(unawaited("ctx.parallel.map([1], (x) => ctx.task(t, { x }));") == " 1");
  CHECK(unawaited("c.parallel.all(list)\nctx.memory.recall('x')\n") == " 1 2");
}

TEST_CASE("Promises that are read as if they were the results are found") {
  CHECK(unawaited("{\n const r = ctx.breakpoint({});\n if (r.approved === false) f(); }") == " 2");
  CHECK(unawaited("let r = c.task(a), x = 1;\nlog(`${r.exitCode}`);") == " 1");
  CHECK(unawaited("const r = ctx.task(a)\nreturn r?.value") == " 1");
  CHECK(unawaited("{ const r = ctx.task(a); f(r.x); } { const r = await ctx.task(a); g(r); }") ==
        " 1");
}

TEST_CASE("Promises in a variable that are taken in any way are let be") {
  for (const auto* source :
       {"await r;", "return r;", "f(r);", "all.push(r);", "[r, s];", "x = { r };", "g(...r);",
        "r.then(f);", "r?.catch(f);", "const s = r;", "h(() => r);", "log(`${await r}`);",
        "y = a ? r : b;", "o.r.x;", "if (r.done) await r;"}) {
    INFO(source);
    CHECK(unawaited("const r = ctx.task(a); f(r.x); " + std::string(source)).empty() ==
          (std::string_view(source) != "o.r.x;"));
    CHECK(unawaited("const r = ctx.task(a).then(f); r.x; " + std::string(source)).empty());
    CHECK(unawaited("const r = await ctx.task(a); r.x; " + std::string(source)).empty());
  }
}

TEST_CASE("Promises that are taken, chained, returned or meant to be dropped are let be") {
  for (const auto* source :
       {"await ctx.task(a);", "const b = ctx.task(a);", "return ctx.task(a);", "void ctx.task(a);",
        "ctx.task(a).then(f);", "all.push(ctx.task(a));", "f(ctx.task(a), ctx.task(b));",
        "(i) => ctx.task(a)", "b ? ctx.task(a) : ctx.task(c)", "return\n ctx.task(a)",
        "x = b &&\n ctx.task(a)", "ctx.log('a');", "ctx.emit('a');", "`${ctx.runId} ${ctx.run}`",
        "list.forEach((i) => { all.push(ctx.task(a, i)); })",
        "list.forEach(async (i) => { log(i); })", "await\n  ctx.task(a)"}) {
    INFO(source);
    CHECK(unawaited(source).empty());
  }
}
