// Task builders and the forms of defineTask.
#include <catch2/catch.hpp>

#include "tests/processes/script/harness.h"

using reprise::test::Lines;
using reprise::test::process_of;
using reprise::test::Script;

namespace {

// The definition that the first request of a process gets.
std::string definition_of(const std::string& task,
                          const std::string& call = "ctx.task(t, { n: 1 })") {
  Script script(process_of("const t = " + task + "; await " + call + ";"));
  Lines lines = script.start();
  INFO((lines.empty() ? "nothing" : lines[0]));
  REQUIRE(script.commands().size() == 1);
  return script.commands().at(0).definition + script.commands().at(0).json;
}

std::string label_of(const std::string& definition, const std::string& options = "{}") {
  Script script(process_of("const t = defineTask('the-id', () => (" + definition +
                           "));"
                           "await ctx.task(t, {}, " +
                           options + ");"));
  script.start();
  return script.commands().at(0).label;
}

}  // namespace

TEST_CASE("a builder is called with the arguments and a frozen context") {
  Script script(process_of(R"(
    const seen = [];
    const t = defineTask('look', (args, taskCtx) => {
      seen.push(args, { ...taskCtx }, Object.isFrozen(taskCtx));
      return { kind: 'shell' };
    });
    ctx.task(t, { a: 1 }, { label: 'first', key: 'k/1' });
    ctx.task(t, { a: 2 });
    return seen.map((x) => typeof x === 'boolean' ? x : JSON.parse(JSON.stringify(x)));)"));
  Lines lines = script.start();
  REQUIRE(lines.size() == 3);
  CHECK(lines[2] ==
        R"(complete [{"a":1},{"effectId":"t1","invocationKey":"demo:k/1:look","taskId":"look",)"
        R"("runId":"run-1",)"
        R"("runDir":"/home/runs/run-1","taskDir":"/home/runs/run-1/tasks/t1",)"
        R"("tasksDir":"/home/runs/run-1/tasks",)"
        R"("label":"first","labels":["first"]},true,)"
        R"({"a":2},{"effectId":"t2","invocationKey":"demo:S000002:look","taskId":"look",)"
        R"("runId":"run-1",)"
        R"("runDir":"/home/runs/run-1","taskDir":"/home/runs/run-1/tasks/t2",)"
        R"("tasksDir":"/home/runs/run-1/tasks",)"
        R"("labels":[]},true])");
}

TEST_CASE(
    "toTaskRelativePath stays below the task's folder and createBlobRef says what to do instead") {
  CHECK(definition_of("defineTask('t', (a, c) => ({ kind: 'shell', p: "
                      "c.toTaskRelativePath('out/x.json') }))") ==
        R"({"kind":"shell","p":"tasks/t1/out/x.json"})");
  for (const char* path : {"/etc/passwd", "../x", "a/../../x", ""}) {
    Script script(process_of(
        "const t = defineTask('t', (a, c) => ({ kind: 'shell', p: c.toTaskRelativePath('" +
        std::string(path) + "') })); await ctx.task(t);"));
    CHECK(script.start().at(0).starts_with(
        "fail TypeError: toTaskRelativePath needs a path below the task's folder"));
  }
  Script script(
      process_of("const t = defineTask('t', (a, c) => ({ kind: 'x', b: c.createBlobRef('n', 1) }));"
                 "await ctx.task(t);"));
  CHECK(script.start().at(0).starts_with("fail TypeError: createBlobRef is not supported"));
}

TEST_CASE("all forms of defineTask give a task") {
  CHECK(definition_of("defineTask(' t ', () => ({ kind: 'a' }))") == R"({"kind":"a"})");
  CHECK(definition_of("defineTask('t', async (args) => ({ kind: 'a', n: args.n }))") ==
        R"({"kind":"a","n":1})");
  CHECK(definition_of(
            "defineTask('t', () => ({ title: 'x' }), { kind: 'a', description: 'd', labels: ['l'],"
            "inputSchema: {}, source: 's' })") ==
        R"({"title":"x","kind":"a","description":"d","labels":["l"],"inputSchema":{}})");
  CHECK(definition_of("defineTask('t', async () => ({ kind: 'b' }), { kind: 'a', outputSchema: { "
                      "type: 'object' } })") == R"({"kind":"b","outputSchema":{"type":"object"}})");
  CHECK(definition_of("defineTask({ id: 't', kind: 'agent', title: 'T', inputs: { a: 1 }, outputs: "
                      "{ b: 1 } })") ==
        R"({"kind":"agent","title":"T","inputSchema":{"a":1},"outputSchema":{"b":1}})");
  CHECK(definition_of(
            "defineTask({ name: 't', kind: 'agent', run: (args) => ({ title: 'n' + args.n }) })") ==
        R"({"kind":"agent","title":"n1"})");
  CHECK(definition_of("defineTask('t', { kind: 'agent', title: 'literal' })") ==
        R"({"kind":"agent","title":"literal"})");
  CHECK(definition_of("{ id: 't', build: () => ({ kind: 'plain' }) }") == R"({"kind":"plain"})");
  CHECK(definition_of("new (class { id = 't'; build() { return { kind: 'class' }; } })()") ==
        R"({"kind":"class"})");
}

TEST_CASE("defineTask says what is missing") {
  for (const char* call : {"defineTask()", "defineTask('')", "defineTask('t')",
                           "defineTask('t', 1)", "defineTask({})"}) {
    Script script(process_of(std::string(call) + ";"));
    INFO(call);
    CHECK(script.start().at(0).starts_with("fail TypeError: defineTask"));
  }
}

TEST_CASE("globalTaskRegistry knows the defined tasks") {
  Script script(
      "import { defineTask, globalTaskRegistry } from '@a5c-ai/babysitter-sdk';\n"
      "defineTask('known', () => ({ kind: 'a' }));\n"
      "export const process = async () => [globalTaskRegistry.hasTask('known'), "
      "globalTaskRegistry.has('other')];");
  CHECK(script.start() == Lines{"complete [true,false]"});
}

TEST_CASE("ctx.task says what it was given instead of a task") {
  struct Row {
    const char* given;
    const char* said;
  };
  for (const Row& row :
       {Row{"undefined", "not undefined"}, Row{"'work'", "not a string"},
        Row{"{}", "not an object whose id is undefined and whose build is undefined"},
        Row{"{ id: 'x', build: 1 }",
            "not an object whose id is a string and whose build is a number"},
        Row{"new Proxy({}, {})", "not an object"}}) {
    Script script(process_of("await ctx.task(" + std::string(row.given) + ", {});"));
    INFO(row.given);
    CHECK(script.start() ==
          Lines{"fail TypeError: ctx.task needs a task made by defineTask as its first argument, " +
                std::string(row.said)});
  }
}

TEST_CASE("a label is the option, else the first of labels, else the title, else the task's id") {
  CHECK(label_of("{ kind: 'a', labels: ['l', 'm'], title: 'T' }", "{ label: 'option' }") ==
        "option");
  CHECK(label_of("{ kind: 'a', labels: ['l', 'm'], title: 'T' }") == "l");
  CHECK(label_of("{ kind: 'a', labels: [], title: 'T' }") == "T");
  CHECK(label_of("{ kind: 'a' }") == "the-id");
}

TEST_CASE("options that matter to the work join the definition") {
  CHECK(
      definition_of(
          "defineTask('t', () => ({ kind: 'a', timeoutMs: 1 }))",
          "ctx.task(t, 0, { timeoutMs: 5, retry: { maxAttempts: 2 }, onLost: 'ask', key: 'k' })") ==
      R"({"kind":"a","timeoutMs":5,"retry":{"maxAttempts":2},"onLost":"ask"})");
}

TEST_CASE("a definition must be an object with a string kind, in plain data") {
  struct Row {
    const char* built;
    const char* said;
  };
  for (const Row& row :
       {Row{"undefined", "the builder of task t returned undefined"},
        Row{"'shell'", "the builder of task t returned a string"},
        Row{"{}", "the definition of task t has no `kind`"},
        Row{"{ kind: 1 }", "the definition of task t has no `kind`"},
        Row{"{ kind: 'a', get b() { return 1; } }", "the definition of task t.b is a getter"},
        Row{"{ kind: 'a', b: new Map() }", "the definition of task t.b is a Map"},
        Row{"new Proxy({ kind: 'a' }, {})", "the builder of task t returned an object"}}) {
    Script script(process_of("const t = defineTask('t', () => (" + std::string(row.built) +
                             ")); await ctx.task(t);"));
    INFO(row.built);
    CHECK(script.start().at(0).starts_with("fail TypeError: " + std::string(row.said)));
  }
}

TEST_CASE("a builder that throws rejects the call, and its number stays used") {
  Script script(process_of(R"(
    const bad = defineTask('bad', (args) => {
      if (args.n === 1) throw new RangeError('no');
      return { kind: 'a' };
    });
    const first = await ctx.task(bad, { n: 1 }).catch((e) => e.name + ': ' + e.message);
    await ctx.task(bad, { n: 2 });
    return first;)"));
  CHECK(script.start() == Lines{R"(request t2 bad a {"n":2})"});
  CHECK(script.resolve(2, "0") == Lines{R"(complete "RangeError: no")"});
}

TEST_CASE(
    "an async builder may await what resolves by itself, and rejects the call when it fails") {
  Script script(process_of(R"(
    const slow = defineTask('slow', async (args) => { for (let i = 0; i < 5; i++) await null;
      if (args === 2) throw new Error('late'); return { kind: 'k' + args }; });
    const late = ctx.task(slow, 2).catch((e) => e.message);
    await Promise.all([ctx.task(slow, 1), ctx.task(slow, 3)]);
    return late;)"));
  CHECK(script.start() == Lines{"request t2 slow k1 1", "request t3 slow k3 3"});
  script.resolve(2, "0");
  CHECK(script.resolve(3, "0") == Lines{R"(complete "late")"});
}

TEST_CASE("a builder that never finishes rejects the call") {
  Script script(
      process_of("const t = defineTask('stuck', () => new Promise(() => {}));"
                 "try { await ctx.task(t); } catch (e) { return e.message; }"));
  CHECK(
      script.start() ==
      Lines{
          R"(complete "the builder of task stuck never finishes: it awaits something that only a )"
          R"(task could deliver")"});
}

TEST_CASE("a builder cannot ask for effects, emit or halt") {
  for (const char* call : {"ctx.task(work)", "ctx.breakpoint({})", "ctx.sleepUntil(1e15)",
                           "ctx.run('./c.js')", "ctx.hook('h')", "ctx.orchestratorTask(1)",
                           "ctx.signal('s')", "ctx.emit('e')", "ctx.halt('h')"}) {
    Script script(process_of("const t = defineTask('t', async () => { await " + std::string(call) +
                             "; return { kind: 'a' }; }); await ctx.task(t);"));
    INFO(call);
    CHECK(script.start().at(0).starts_with("fail TypeError: a task builder cannot "));
  }
}

TEST_CASE("requests keep the order of the calls, however their builders finish") {
  Script script(process_of(R"(
    const t = defineTask('t', async (n) => {
      for (let i = n; i < 4; i++) await null;
      return { kind: 'a' };
    });
    await Promise.all([ctx.task(t, 1), ctx.task(work, 2), ctx.task(t, 3)]);)"));
  CHECK(script.start() == Lines{"request t1 t a 1", "request t2 work shell 2", "request t3 t a 3"});
}

TEST_CASE("a builder's random numbers are its own: the process draws the same with or without it") {
  auto drawn = [](const std::string& build) {
    Script script(process_of("const t = defineTask('t', " + build +
                             "); ctx.task(t); return [ctx.random(), Math.random()];"));
    return script.start().back();
  };
  std::string plain = drawn("() => ({ kind: 'a' })");
  CHECK(plain.starts_with("complete [0."));
  CHECK(drawn("() => ({ kind: 'a', r: Math.random() + ctx.random(), u: ctx.uuid() })") == plain);
  CHECK(drawn("async () => { const r = Math.random(); await null; return { kind: 'a', r: r + "
              "Math.random() }; }") == plain);
}

TEST_CASE(
    "a builder draws the same numbers again for the same call, and others for the next call") {
  auto drawn = [] {
    Script script(process_of(
        "const t = defineTask('t', () => ({ kind: 'a', r: Math.random(), u: ctx.uuid() }));"
        "ctx.task(t); ctx.task(t); ctx.task(t, 0, { key: 'k' }); await ctx.task(work);"));
    script.start();
    std::vector<std::string> definitions;
    for (const auto& command : script.commands()) definitions.push_back(command.definition);
    return definitions;
  };
  auto first = drawn();
  REQUIRE(first.size() == 4);
  CHECK(first == drawn());
  CHECK(first[0] != first[1]);
  CHECK(first[1] != first[2]);
}

TEST_CASE("what a builder leaves running neither delays nor changes its definition") {
  Script script(process_of(
      "let late = 0; const t = defineTask('t', () => { (async () => { await null; late = 1; })();"
      "return { kind: 'a', late }; }); await ctx.task(t); return late;"));
  CHECK(script.start() == Lines{"request t1 t a null"});
  CHECK(script.commands().at(0).definition == R"({"kind":"a","late":0})");
  CHECK(script.resolve(1, "0") == Lines{"complete 1"});
}
