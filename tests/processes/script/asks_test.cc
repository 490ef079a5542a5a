// Effects that need no task: breakpoints with their routing, hooks, orchestrator tasks, child runs.
#include <catch2/catch.hpp>

#include "tests/processes/script/harness.h"

using reprise::test::Lines;
using reprise::test::process_of;
using reprise::test::Script;

namespace {

struct RefusedCall {
  const char* call;
  const char* said;
};

void check_refused(std::initializer_list<RefusedCall> rows) {
  for (const RefusedCall& row : rows) {
    INFO(row.call);
    CHECK(Script(process_of("await ctx." + std::string(row.call) + ";")).start() ==
          Lines{"fail TypeError: " + std::string(row.said)});
  }
}

}  // namespace

TEST_CASE("a hook is an effect with a type and a payload") {
  Script script(
      process_of("return [await ctx.hook('on-step', { b: 1, a: 2 }, { priority: 5, timeoutMs: 7 }),"
                 "await ctx.hook('bare')];"));
  CHECK(script.start() ==
        Lines{R"(request t1 __sdk.hook hook {"payload":{"a":2,"b":1},"type":"on-step"})"});
  const auto hook = script.commands().at(0);
  CHECK(hook.label == "hook:on-step");
  CHECK(hook.options == R"({"timeoutMs":7})");
  CHECK(hook.definition ==
        R"({"kind":"hook","hook":{"type":"on-step","payload":{"b":1,"a":2},"priority":5},)"
        R"("timeoutMs":7})");
  CHECK(script.resolve(1, R"("done")") ==
        Lines{R"(request t2 __sdk.hook hook {"payload":null,"type":"bare"})"});
  CHECK(script.resolve(2, "2") == Lines{R"(complete ["done",2])"});
}

TEST_CASE("an orchestrator task is an effect with a payload") {
  Script script(process_of(
      "return ctx.orchestratorTask({ do: 'plan' }, { label: 'Plan', key: 'p', resumeCommand: 'x',"
      "retry: { maxAttempts: 2 }, onLost: 'ask' });"));
  CHECK(script.start() ==
        Lines{R"(request t1 __sdk.orchestratorTask orchestrator_task {"do":"plan"})"});
  const auto task = script.commands().at(0);
  CHECK(task.label == "Plan");
  CHECK(task.key == "p");
  CHECK(task.definition ==
        R"({"kind":"orchestrator_task","orchestratorTask":{"payload":{"do":"plan"},)"
        R"("resumeCommand":"x"},"retry":{"maxAttempts":2},"onLost":"ask"})");
  CHECK(task.options ==
        R"({"retry":{"maxAttempts":2,"backoffMs":1000,"factor":2,"maxBackoffMs":100000,)"
        R"("onExhausted":"fail"},"onLost":"ask"})");
  CHECK(script.resolve(1, "1") == Lines{"complete 1"});
  Script bare(process_of("await ctx.orchestratorTask();"));
  CHECK(bare.start() == Lines{"request t1 __sdk.orchestratorTask orchestrator_task null"});
  CHECK(bare.commands().at(0).label == "orchestrator-task");
}

TEST_CASE("a child run is an effect with an entry and inputs") {
  Script script(
      process_of("return ctx.run('./child.mjs#main', { b: 1, a: 2 }, { key: 'c', detached: true,"
                 "labels: { team: 'x' }, timeoutMs: 9, outputSchema: { type: 'object' } });"));
  CHECK(script.start() ==
        Lines{R"(request t1 __sdk.run run {"entry":"./child.mjs#main","inputs":{"a":2,"b":1}})"});
  const auto run = script.commands().at(0);
  CHECK(run.label == "run:./child.mjs#main");
  CHECK(run.key == "c");
  CHECK(run.definition ==
        R"({"kind":"run","run":{"entry":"./child.mjs#main","inputs":{"b":1,"a":2},)"
        R"("labels":{"team":"x"}},"timeoutMs":9,"outputSchema":{"type":"object"}})");
  CHECK(run.options == R"({"timeoutMs":9,"outputSchema":true,"detached":true})");
  CHECK(script.resolve(1, R"({"out":1})") == Lines{R"(complete {"out":1})"});
  Script bare(process_of("await ctx.run('builtin:checklist', undefined, { detached: false });"));
  CHECK(bare.start() ==
        Lines{R"(request t1 __sdk.run run {"entry":"builtin:checklist","inputs":{}})"});
  CHECK(bare.commands().at(0).options.empty());
}

TEST_CASE("a child run that fails throws like any effect, and the same key is the same run") {
  Script script(process_of(
      "const a = ctx.run('./c.js', { x: 1 }, { key: 'k' }); const b = ctx.run('./c.js', { x: 1 },"
      "{ key: 'k' }); return [a === b, await a.catch((e) => e.name + e.effectId)];"));
  CHECK(script.start().size() == 1);
  CHECK(script.reject(1, R"({"name":"RunFailedError","message":"m"})") ==
        Lines{R"(complete [true,"RunFailedErrort1"])"});
}

TEST_CASE("ctx.run says what it needs") {
  const char* const kEntry =
      "ctx.run needs the entry of a process, like './child.js' or 'builtin:NAME', not ";
  for (const auto& [call, given] :
       std::vector<std::pair<std::string, std::string>>{{"run()", "undefined"},
                                                        {"run('')", "a string"},
                                                        {"run(5)", "a number"},
                                                        {"run({})", "an object"}}) {
    INFO(call);
    CHECK(Script(process_of("await ctx." + call + ";")).start() ==
          Lines{"fail TypeError: " + (kEntry + given)});
  }
  check_refused({
      {"run('./c.js', {}, { detached: 1 })", "options.detached must be true or false, not 1"},
      {"run('./c.js', {}, { labels: ['x'] })",
       "options.labels must be an object of strings, not an array"},
      {"run('./c.js', {}, { labels: 'x' })",
       "options.labels must be an object of strings, not \"x\""},
      {"run('./c.js', {}, { labels: { a: 'x', team: 5 } })",
       "options.labels: \"team\" must be a string, not 5"},
      {"run('./c.js', {}, { detatched: true })",
       "options has no member \"detatched\": it has key, label, detached, labels, timeoutMs, "
       "outputSchema"},
      {"run('./c.js', {}, { retry: {} })",
       "options.retry: a child run is not performed by anybody: its own tasks are retried"},
      {"run('./c.js', { a: 5n })",
       "inputs.a is a BigInt: write it as a string, or as a Number if it is small enough"},
  });
}

TEST_CASE("hooks say what they need") {
  check_refused({
      {"hook()", "ctx.hook needs the type of a hook, not undefined"},
      {"hook('')", "ctx.hook needs the type of a hook, not a string"},
      {"hook('h', new Map())", "payload is a Map: use Object.fromEntries(map) or [...map]"},
      {"hook('h', 1, 'k')", "options must be an object like { key, label }, not a string"},
      {"hook('h', 1, { onLost: 5 })",
       "options.onLost must be one of 'retry', 'ask', 'fail', not 5"},
      {"orchestratorTask(1, { key: '' })", "options.key must not be empty"},
  });
}

TEST_CASE("a breakpoint may name who approves, how many, and until when") {
  Script script(process_of(
      "return ctx.breakpoint({ question: 'ok?' }, { approvers: ['ada', 'bob', 'ada'], quorum: 2,"
      "expires: '2030-01-01T00:00:00+02:00', tags: ['x'] });"));
  CHECK(script.start() == Lines{R"(request t1 __sdk.breakpoint breakpoint {"question":"ok?"})"});
  const auto& breakpoint = script.commands().at(0);
  CHECK(breakpoint.due_ms == 1893448800000);
  CHECK(breakpoint.options.empty());
  CHECK(breakpoint.definition ==
        R"({"kind":"breakpoint","breakpoint":{"payload":{"question":"ok?"},)"
        R"("approvers":["ada","bob","ada"],"quorum":2,"expires":"2029-12-31T22:00:00.000Z",)"
        R"("tags":["x"]}})");
  CHECK(script.resolve(1, R"({"approved":true})") == Lines{R"(complete {"approved":true})"});
}

TEST_CASE("a breakpoint expires at a Date or a number, too, and one in the past is due at once") {
  for (const auto& [expires, due] : std::vector<std::pair<std::string, int64_t>>{
           {"new Date(1893448800000)", 1893448800000},
           {"1893448800000", 1893448800000},
           {"ctx.now().getTime() - 1", Script::kStartMs + 999},
           {"0", 1},
           {"'1960-01-01'", 1},
           {"null", 0}}) {
    Script script(process_of("await ctx.breakpoint({}, { expires: " + expires + " });"));
    INFO(expires);
    CHECK(script.start().size() == 1);
    CHECK(script.commands().at(0).due_ms == due);
  }
}

TEST_CASE("a breakpoint's outputSchema stands where a task's does") {
  Script script(process_of("await ctx.breakpoint({ title: 'T' }, { outputSchema: { a: 1 } });"));
  script.start();
  CHECK(script.commands().at(0).definition ==
        R"({"kind":"breakpoint","title":"T","breakpoint":{"payload":{"title":"T"}},)"
        R"("outputSchema":{"a":1}})");
  CHECK(script.commands().at(0).options == R"({"outputSchema":true})");
}

TEST_CASE("a breakpoint says what is wrong with its options") {
  const char* const kTime =
      "options.expires must be an ISO time, milliseconds since 1970 or a Date, not ";
  check_refused({
      {"breakpoint({}, { timeoutMs: 5 })",
       "options.timeoutMs: a breakpoint has no timeout: give it a time at which it expires, "
       "{ expires }"},
      {"breakpoint({}, { retry: {} })",
       "options.retry: a breakpoint waits for people, not for a worker"},
      {"breakpoint({}, { onLost: 'ask' })",
       "options.onLost: a breakpoint waits for people, not for a worker"},
      {"breakpoint({}, { approvers: 'ada' })",
       "options.approvers must be an array of names, not \"ada\""},
      {"breakpoint({}, { approvers: [] })",
       "options.approvers must be an array of names, not an empty one"},
      {"breakpoint({}, { approvers: ['ada', ''] })",
       "options.approvers[1] must be the name of a person, not \"\""},
      {"breakpoint({}, { approvers: ['ada'], quorum: 2 })",
       "options.quorum must be a whole number from 1 to 1, not 2"},
      {"breakpoint({}, { approvers: ['ada', 'ada'], quorum: 2 })",
       "options.quorum must be a whole number from 1 to 1, not 2"},
      {"breakpoint({}, { quorum: 0 })",
       "options.quorum must be a whole number from 1 to 1000000, not 0"},
      {"breakpoint({}, { quorum: '1' })",
       "options.quorum must be a whole number from 1 to 1000000, not \"1\""},
  });
  for (const auto& [given, said] : std::vector<std::pair<std::string, std::string>>{
           {"'soon'", "\"soon\""}, {"NaN", "NaN"}, {"{}", "an object"}, {"true", "true"}}) {
    INFO(given);
    CHECK(Script(process_of("await ctx.breakpoint({}, { expires: " + given + " });")).start() ==
          Lines{"fail TypeError: " + (kTime + said)});
  }
}

TEST_CASE("a breakpoint that expires is given what is posted when it is due") {
  Script script(process_of("return ctx.breakpoint({}, { expires: 1893448800000 });"));
  script.start();
  CHECK(script.resolve(1, R"({"approved":false})") == Lines{R"(complete {"approved":false})"});
}

TEST_CASE("all asks count alike: numbers follow the order of the calls") {
  Script script(process_of(
      "ctx.run('./c.js'); ctx.signal('s', { timeoutMs: 1 }); ctx.hook('h'); ctx.task(work);"
      "ctx.orchestratorTask(1); await ctx.breakpoint({});"));
  Lines lines = script.start();
  REQUIRE(lines.size() == 6);
  for (size_t i = 0; i < lines.size(); ++i)
    CHECK(lines[i].starts_with("request t" + std::to_string(i + 1) + " "));
}

TEST_CASE("an activation that fails takes back every kind of request") {
  Script script(process_of(
      "await ctx.task(work); ctx.run('./c.js'); ctx.signal('s', { timeoutMs: 1 }); ctx.hook('h');"
      "throw new Error('no');"));
  script.start();
  CHECK(script.resolve(1, "0") == Lines{"fail Error: no"});
  CHECK(script.highest_effect() == 1);
}

TEST_CASE("a member that ctx does not have is an error with its place") {
  Script script(
      "export async function process(inputs, ctx) {\n"
      "  const plan = inputs.plan;\n"
      "  return await ctx.agent('x', { plan });\n"
      "}\n");
  CHECK(script.start() == Lines{"fail TypeError: ctx.agent is not a function"});
  const std::string& error = script.commands().at(0).json;
  INFO(error);
  CHECK(error.find(R"("file":"main.js","line":3,"column":20)") != std::string::npos);
}
