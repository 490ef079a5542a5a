// Task options: what authors may write, and the one form in which it is recorded.
#include <catch2/catch.hpp>

#include "tests/processes/script/harness.h"

using reprise::test::Lines;
using reprise::test::process_of;
using reprise::test::Script;

namespace {

// The recorded options of a task that is called with these options, or what is said against them.
std::string recorded(const std::string& options, const std::string& definition = "") {
  Script script(process_of("const t = defineTask('t', () => ({ kind: 'a', " + definition +
                           " })); await ctx.task(t, 1, " + options + ");"));
  Lines lines = script.start();
  if (script.commands().size() != 1) return "several commands";
  const auto& command = script.commands()[0];
  return command.kind == REPRISE_REQUEST ? command.options : lines.at(0);
}

std::string built(const std::string& definition) { return recorded("null", definition); }

struct GivenOptions {
  const char* given;
  const char* recorded;
};

}  // namespace

TEST_CASE("options are recorded in one normal form, with their defaults") {
  for (const GivenOptions& row : {
           GivenOptions{"{}", ""},
           GivenOptions{"{ key: 'k', label: 'l' }", ""},
           GivenOptions{"{ timeoutMs: 60000 }", R"({"timeoutMs":60000})"},
           GivenOptions{"{ timeoutMs: 0 }", ""},
           GivenOptions{"{ onLost: 'ask' }", R"({"onLost":"ask"})"},
           GivenOptions{"{ onLost: 'retry' }", R"({"onLost":"retry"})"},
           GivenOptions{"{ outputSchema: { type: 'object' } }", R"({"outputSchema":true})"},
           GivenOptions{"{ outputSchema: true }", R"({"outputSchema":true})"},
           GivenOptions{"{ outputSchema: false }", ""},
           GivenOptions{
               "{ retry: {} }",
               R"({"retry":{"maxAttempts":3,"backoffMs":1000,"factor":2,"maxBackoffMs":100000,)"
               R"("onExhausted":"fail"}})"},
           GivenOptions{"{ retry: { maxAttempts: 5, backoffMs: 10, factor: 1.5, maxBackoffMs: 7,"
                        "nonRetryable: ['TypeError', 'A\"B'], onExhausted: 'ask' } }",
                        R"({"retry":{"maxAttempts":5,"backoffMs":10,"factor":1.5,"maxBackoffMs":7,)"
                        R"("nonRetryable":["TypeError","A\"B"],"onExhausted":"ask"}})"},
           GivenOptions{"{ retry: { backoffMs: 0, nonRetryable: [] } }",
                        R"({"retry":{"maxAttempts":3,"backoffMs":0,"factor":2,"maxBackoffMs":0,)"
                        R"("onExhausted":"fail"}})"},
           GivenOptions{
               "{ outputSchema: {}, onLost: 'fail', retry: { maxAttempts: 1 }, timeoutMs: 1 }",
               R"({"timeoutMs":1,"retry":{"maxAttempts":1,"backoffMs":1000,"factor":2,)"
               R"("maxBackoffMs":100000,"onExhausted":"fail"},"onLost":"fail",)"
               R"("outputSchema":true})"},
           GivenOptions{"{ timeoutMs: null, retry: undefined, onLost: null, outputSchema: null }",
                        ""},
       }) {
    INFO(row.given);
    CHECK(recorded(row.given) == row.recorded);
  }
}

TEST_CASE("wrong options reject the call, before anything is asked for, and name the member") {
  const std::string long_time = " from 0 to 3155760000000, not ";
  for (const auto& [given, said] : std::vector<std::pair<const char*, std::string>>{
           {"{ timeoutMs: -1 }", "options.timeoutMs must be a whole number" + long_time + "-1"},
           {"{ timeoutMs: 0.5 }", "options.timeoutMs must be a whole number" + long_time + "0.5"},
           {"{ timeoutMs: '5m' }",
            "options.timeoutMs must be a whole number" + long_time + "\"5m\""},
           {"{ timeoutMs: false }",
            "options.timeoutMs must be a whole number" + long_time + "false"},
           {"{ retry: true }", "options.retry must be an object like { maxAttempts: 3 }, not true"},
           {"{ retry: 3 }", "options.retry must be an object like { maxAttempts: 3 }, not 3"},
           {"{ retry: [3] }",
            "options.retry must be an object like { maxAttempts: 3 }, not an object"},
           {"{ retry: { attempts: 3 } }",
            "options.retry has no member \"attempts\": it has maxAttempts, backoffMs, factor, "
            "maxBackoffMs, nonRetryable, onExhausted"},
           {"{ retry: { maxAttempts: 0 } }",
            "options.retry.maxAttempts must be a whole number from 1 to 1000000, not 0"},
           {"{ retry: { maxAttempts: Infinity } }",
            "options.retry.maxAttempts must be a whole number from 1 to 1000000, not infinity"},
           {"{ retry: { backoffMs: -5 } }",
            "options.retry.backoffMs must be a whole number" + long_time + "-5"},
           {"{ retry: { maxBackoffMs: 1.5 } }",
            "options.retry.maxBackoffMs must be a whole number" + long_time + "1.5"},
           {"{ retry: { factor: 0.5 } }",
            "options.retry.factor must be a number of at least 1, not 0.5"},
           {"{ retry: { factor: NaN } }",
            "options.retry.factor must be a number of at least 1, not NaN"},
           {"{ retry: { nonRetryable: 'TypeError' } }",
            "options.retry.nonRetryable must be an array of names of errors, not \"TypeError\""},
           {"{ retry: { nonRetryable: ['A', 5] } }",
            "options.retry.nonRetryable[1] must be the name of an error, not 5"},
           {"{ retry: { nonRetryable: [,] } }",
            "options.retry.nonRetryable[0] must be the name of an error, not undefined"},
           {"{ retry: { onExhausted: 'stop' } }",
            "options.retry.onExhausted must be one of 'fail', 'ask', not \"stop\""},
           {"{ onLost: 'wait' }",
            "options.onLost must be one of 'retry', 'ask', 'fail', not \"wait\""},
           {"{ onLost: true }", "options.onLost must be one of 'retry', 'ask', 'fail', not true"},
           {"{ outputSchema: 'object' }",
            "options.outputSchema must be a JSON Schema, an object or a boolean, not \"object\""},
           {"{ outputSchema: [] }",
            "options.outputSchema must be a JSON Schema, an object or a boolean, not an array"},
       }) {
    INFO(given);
    CHECK(recorded(given) == "fail TypeError: " + said);
  }
  Script script(
      process_of("await ctx.task(work, 1, { retry: 1 }).catch(() => {});"
                 "await ctx.task(work, 2);"));
  CHECK(script.start() == Lines{"request t1 work shell 2"});
}

TEST_CASE("options of a definition count, and those of the call win") {
  CHECK(built("timeoutMs: 900000, outputSchema: { type: 'object' }") ==
        R"({"timeoutMs":900000,"outputSchema":true})");
  CHECK(
      built("retry: { maxAttempts: 2, backoffMs: 1, factor: 1, maxBackoffMs: 1 }, onLost: 'ask'") ==
      R"({"retry":{"maxAttempts":2,"backoffMs":1,"factor":1,"maxBackoffMs":1,)"
      R"("onExhausted":"fail"},"onLost":"ask"})");
  for (const char* none : {"null", "false", "undefined"}) {
    const std::string value = none;
    CHECK(built("timeoutMs: " + value + ", retry: " + value + ", onLost: " + value +
                ", outputSchema: " + value) == "");
  }
  CHECK(recorded("{ timeoutMs: 5 }", "timeoutMs: 9, onLost: 'ask'") ==
        R"({"timeoutMs":5,"onLost":"ask"})");
  CHECK(recorded("{ timeoutMs: null, onLost: undefined }", "timeoutMs: 9, onLost: 'ask'") ==
        R"({"onLost":"ask"})");
  CHECK(recorded("{ timeoutMs: 5, outputSchema: false }", "timeoutMs: 'x', outputSchema: {}") ==
        R"({"timeoutMs":5})");
}

TEST_CASE("a definition with wrong options rejects the call, and its number stays used") {
  for (const GivenOptions& row :
       {GivenOptions{
            "timeoutMs: 'x'",
            "the definition of task t.timeoutMs must be a whole number from 0 to 3155760000000, "
            "not \"x\""},
        GivenOptions{
            "retry: 3",
            "the definition of task t.retry must be an object like { maxAttempts: 3 }, not 3"},
        GivenOptions{
            "onLost: 'x'",
            "the definition of task t.onLost must be one of 'retry', 'ask', 'fail', not \"x\""},
        GivenOptions{
            "outputSchema: 5",
            "the definition of task t.outputSchema must be a JSON Schema, an object or a boolean, "
            "not 5"}}) {
    INFO(row.given);
    CHECK(built(row.given) == "fail TypeError: " + std::string(row.recorded));
  }
  Script script(
      process_of("const t = defineTask('t', () => ({ kind: 'a', retry: 3 }));"
                 "await ctx.task(t).catch(() => {}); await ctx.task(work);"));
  CHECK(script.start() == Lines{"request t2 work shell null"});
}

TEST_CASE("the schema stays in the definition, and options are no part of an effect's identity") {
  Script script(process_of(
      "const a = ctx.task(work, 1, { key: 'k', timeoutMs: 5, outputSchema: { type: 'number' } });"
      "const b = ctx.task(work, 1, { key: 'k', timeoutMs: 6 }); await a; return a === b;"));
  CHECK(script.start() == Lines{"request t1 work shell 1"});
  CHECK(script.commands().at(0).options == R"({"timeoutMs":5,"outputSchema":true})");
  CHECK(script.commands().at(0).definition ==
        R"({"kind":"shell","shell":{"command":"true"},"timeoutMs":5,)"
        R"("outputSchema":{"type":"number"}})");
  CHECK(script.resolve(1, "0") == Lines{"complete true"});
}

TEST_CASE("options of an async builder's task are those at the time of the call") {
  Script script(
      process_of("const t = defineTask('t', async () => { await null; return { kind: 'a' }; });"
                 "const options = { timeoutMs: 5 }; const p = ctx.task(t, 1, options);"
                 "options.timeoutMs = -1; options.onLost = 'ask'; await p;"));
  CHECK(script.start() == Lines{"request t1 t a 1"});
  CHECK(script.commands().at(0).options == R"({"timeoutMs":5})");
}

TEST_CASE("options run nothing of the author's") {
  for (const GivenOptions& row :
       {GivenOptions{"{ get key() { return ran(); } }", "options.key is a getter: pass its value"},
        GivenOptions{"{ get label() { return ran(); } }",
                     "options.label is a getter: pass its value"},
        GivenOptions{"{ get timeoutMs() { return ran(); } }",
                     "options.timeoutMs is a getter: pass its value"},
        GivenOptions{"{ get other() { return ran(); } }",
                     "options.other is a getter: pass its value"},
        GivenOptions{"{ retry: { get maxAttempts() { return ran(); } } }",
                     "options.retry.maxAttempts is a getter: pass its value"},
        GivenOptions{
            "{ retry: { nonRetryable: Object.defineProperty([], 0, { get: ran, enumerable: true }) "
            "} }",
            "options.retry.nonRetryable[0] is a getter: pass its value"},
        GivenOptions{"new Proxy({}, { ownKeys: ran, get: ran })",
                     "options must be an object like { key, label }, not an object"},
        GivenOptions{"{ retry: new Proxy({}, { ownKeys: ran, get: ran }) }",
                     "options.retry is a Proxy: pass a plain copy, { ...value }"},
        GivenOptions{
            "{ outputSchema: { toJSON: ran } }",
            "options.outputSchema has a toJSON method, which is not called here: pass the plain "
            "data that it returns"},
        GivenOptions{
            "{ toJSON: ran, timeoutMs: 1 }",
            "options has a toJSON method, which is not called here: pass the plain data that it "
            "returns"}}) {
    for (const char* call : {"ctx.task(work, 1, ", "ctx.breakpoint({}, ", "ctx.hook('h', 1, ",
                             "ctx.orchestratorTask(1, "}) {
      Script script(process_of("const ran = () => { ctx.log('ran'); return 5; }; await " +
                               std::string(call) + row.given + ");"));
      INFO(call << row.given);
      CHECK(script.start().at(0).starts_with("fail TypeError: "));
      if (std::string(call).starts_with("ctx.task")) CHECK(script.start().size() == 1);
    }
    INFO(row.given);
    Script script(
        process_of("const ran = () => { ctx.log('ran'); return 5; };"
                   "await ctx.task(work, 1, " +
                   std::string(row.given) + ");"));
    CHECK(script.start() == Lines{"fail TypeError: " + std::string(row.recorded)});
  }
}

TEST_CASE("options that a prototype brings are none") {
  CHECK(recorded("Object.create({ key: 'k', timeoutMs: 5 })") == "");
  for (const char* call :
       {"ctx.task(work, 1, { onLost: 'ask' })", "ctx.hook('h', 1, { onLost: 'ask' })",
        "ctx.orchestratorTask(1, { onLost: 'ask' })"}) {
    Script script(process_of(
        "Object.prototype.timeoutMs = 5; Object.defineProperty(Object.prototype, 'retry',"
        "{ get() { ctx.log('ran'); return {}; }, set() { ctx.log('ran'); } });"
        "Object.defineProperty(Object.prototype, 'onLost', { set() { ctx.log('ran'); } });"
        "await " +
        std::string(call) + ";"));
    INFO(call);
    CHECK(script.start().size() == 1);
    CHECK(script.commands().at(0).options == R"({"onLost":"ask"})");
    CHECK(script.commands().at(0).definition.find("timeoutMs") == std::string::npos);
  }
}
