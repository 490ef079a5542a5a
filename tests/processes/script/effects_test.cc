// What a process asks for, and what its promises mean.
#include <catch2/catch.hpp>

#include "tests/processes/script/harness.h"

using reprise::test::Lines;
using reprise::test::process_of;
using reprise::test::Script;

TEST_CASE("a task is requested, its result resolves the call, the return value is the output") {
  Script script(
      process_of("const r = await ctx.task(work, { b: 1, a: [2, null] }); return { got: r };"));
  CHECK(script.start() == Lines{R"(request t1 work shell {"a":[2,null],"b":1})"});
  const auto& request = script.commands().at(0);
  CHECK(request.label == "work");
  CHECK(request.key.empty());
  CHECK(request.definition == R"({"kind":"shell","shell":{"command":"true"}})");
  CHECK(script.resolve(1, R"({"n":1.5})") == Lines{R"(complete {"got":{"n":1.5}})"});
}

TEST_CASE("inputs arrive as given and an undefined output is null") {
  CHECK(Script(process_of("return inputs")).start(R"({"z":1,"a":"ü"})") ==
        Lines{R"(complete {"z":1,"a":"ü"})"});
  CHECK(Script(process_of("")).start() == Lines{"complete null"});
}

TEST_CASE("try and catch around a waiting call stays pending") {
  Script script(process_of(
      "try { return await ctx.task(work, {}); } catch (e) { return 'caught ' + e.message; }"));
  CHECK(script.start() == Lines{"request t1 work shell {}"});
  CHECK(script.resolve(1, "7") == Lines{"complete 7"});
}

TEST_CASE("Promise.all asks for everything at once and resolves in any order") {
  Script script(process_of("return Promise.all([1, 2, 3].map((n) => ctx.task(work, { n })));"));
  CHECK(script.start() == Lines{R"(request t1 work shell {"n":1})",
                                R"(request t2 work shell {"n":2})",
                                R"(request t3 work shell {"n":3})"});
  CHECK(script.resolve(3, "\"c\"") == Lines{});
  CHECK(script.resolve(1, "\"a\"") == Lines{});
  CHECK(script.resolve(2, "\"b\"") == Lines{R"(complete ["a","b","c"])"});
}

TEST_CASE("a race is won by the result that is given first, and the loser is harmless") {
  Script script(
      process_of("const w = await Promise.race([ctx.task(work, 1), ctx.task(work, 2)]);"
                 "await ctx.task(work, 3); return w;"));
  CHECK(script.start().size() == 2);
  CHECK(script.resolve(2, "\"second\"") == Lines{"request t3 work shell 3"});
  CHECK(script.resolve(1, "\"first\"") == Lines{});
  CHECK(script.resolve(3, "null") == Lines{R"(complete "second")"});
}

TEST_CASE("parallel.all keeps order and undefined results, also with maxConcurrency") {
  Script script(process_of(
      "const r = await ctx.parallel.all(["
      "() => ctx.task(work, 1), async () => undefined, () => ctx.task(work, 2), () => 4],"
      "{ maxConcurrency: 2 }); return [r.length, r];"));
  CHECK(script.start() == Lines{"request t1 work shell 1", "request t2 work shell 2"});
  CHECK(script.resolve(2, "22") == Lines{});
  CHECK(script.resolve(1, "11") == Lines{"complete [4,[11,null,22,4]]"});
}

TEST_CASE("parallel with maxConcurrency starts no more than that") {
  Script script(
      process_of("return ctx.parallel.map([1, 2, 3], (n, i) => ctx.task(work, { n, i }),"
                 "{ maxConcurrency: 1 });"));
  CHECK(script.start() == Lines{R"(request t1 work shell {"i":0,"n":1})"});
  CHECK(script.resolve(1, "1") == Lines{R"(request t2 work shell {"i":1,"n":2})"});
  CHECK(script.resolve(2, "2") == Lines{R"(request t3 work shell {"i":2,"n":3})"});
  CHECK(script.resolve(3, "3") == Lines{"complete [1,2,3]"});
}

TEST_CASE("parallel takes promises as well as functions, and an empty list") {
  Script script(process_of(
      "return [await ctx.parallel.all([]),"
      "await ctx.parallel.all([ctx.task(work, 1), ctx.task(work, 2)], { maxConcurrency: 1 })];"));
  CHECK(script.start().size() == 2);
  CHECK(script.resolve(2, "2") == Lines{});
  CHECK(script.resolve(1, "1") == Lines{"complete [[],[1,2]]"});
}

TEST_CASE("a failed member of parallel fails it at once and nothing new is started") {
  Script script(
      process_of("try { await ctx.parallel.all([1, 2, 3].map((n) => () => ctx.task(work, n)),"
                 "{ maxConcurrency: 2 }); } catch (e) { return e.message; }"));
  CHECK(script.start().size() == 2);
  CHECK(script.reject(1, R"({"name":"Error","message":"no"})") == Lines{R"(complete "no")"});
}

TEST_CASE("parallel says what is wrong with its arguments") {
  Script script(
      process_of("const errors = [];"
                 "for (const call of [() => ctx.parallel.all('x'), () => ctx.parallel.map([], 1),"
                 "() => ctx.parallel.all([], { maxConcurrency: 0 })])"
                 "await call().catch((e) => errors.push(e.message)); return errors;"));
  CHECK(script.start() ==
        Lines{R"(complete ["ctx.parallel.all needs an array","ctx.parallel.map needs a function",)"
              R"("maxConcurrency must be a whole number of at least 1, not 0"])"});
}

TEST_CASE("a failed effect throws an Error with the posted name, message, stack and data") {
  Script script(process_of(
      "try { await ctx.task(work, {}); } catch (e) { return [e instanceof Error, e.name, e.message,"
      "e.stack, e.data, e.effectId]; }"));
  script.start();
  CHECK(
      script.reject(
          1, R"({"name":"ShellError","message":"exit 3","stack":"at sh","data":{"exitCode":3}})") ==
      Lines{R"(complete [true,"ShellError","exit 3","at sh",{"exitCode":3},"t1"])"});
}

TEST_CASE("a failed effect that nobody catches fails the run with what was posted") {
  Script script(process_of("await ctx.task(work, {});"));
  script.start();
  CHECK(script.reject(1, R"({"name":"ShellError","message":"exit 3"})") ==
        Lines{"fail ShellError: exit 3"});
}

TEST_CASE("a cancelled effect throws EffectCancelledError with its reason") {
  Script script(process_of(
      "try { await ctx.task(work, {}); } catch (e) { return [e.name, e.effectId, e.reason]; }"));
  script.start();
  CHECK(script.cancel(1, R"({"reason":"not needed"})") ==
        Lines{R"(complete ["EffectCancelledError","t1","not needed"])"});
}

TEST_CASE("a breakpoint is an effect whose payload is kept") {
  Script script(process_of(
      "const a = await ctx.breakpoint({ title: 'Publish?', question: 'ok?' }, { expert: 'owner' });"
      "return a.approved;"));
  CHECK(script.start() ==
        Lines{R"(request t1 __sdk.breakpoint breakpoint {"question":"ok?","title":"Publish?"})"});
  CHECK(script.commands().at(0).label == "breakpoint");
  CHECK(script.commands().at(0).definition ==
        R"({"kind":"breakpoint","title":"Publish?","breakpoint":{"payload":{"title":"Publish?",)"
        R"("question":"ok?"},)"
        R"("expert":"owner"}})");
  CHECK(script.resolve(1, R"({"approved":true})") == Lines{"complete true"});
}

TEST_CASE("a breakpoint's label is the option, else the payload's, else 'breakpoint'") {
  Script script(process_of(
      "await Promise.all([ctx.breakpoint({}, { label: 'a' }), ctx.breakpoint({ label: 'b' }),"
      "ctx.breakpoint()]);"));
  CHECK(script.start().size() == 3);
  CHECK(script.commands().at(0).label == "a");
  CHECK(script.commands().at(1).label == "b");
  CHECK(script.commands().at(2).label == "breakpoint");
}

TEST_CASE("sleepUntil waits for a time to come and resolves to undefined") {
  Script script(process_of(
      "const r = await ctx.sleepUntil('2030-01-01T00:00:00Z'); return [r === undefined];"));
  CHECK(script.start() == Lines{R"(request t1 __sdk.sleep sleep {"iso":"2030-01-01T00:00:00.000Z",)"
                                R"("targetEpochMs":1893456000000})"});
  const auto& request = script.commands().at(0);
  CHECK(request.due_ms == 1893456000000);
  CHECK(request.label == "sleep:2030-01-01T00:00:00.000Z");
  CHECK(request.definition == R"({"kind":"sleep","sleep":{"iso":"2030-01-01T00:00:00.000Z",)"
                              R"("targetEpochMs":1893456000000}})");
  CHECK(script.resolve(1, "null") == Lines{"complete [true]"});
}

TEST_CASE("sleepUntil takes numbers and dates, and a time that has passed is no effect") {
  Script script(
      process_of("await ctx.sleepUntil(0); await ctx.sleepUntil(ctx.now());"
                 "await ctx.sleepUntil(new Date(ctx.now().getTime() + 5000));"));
  CHECK(script.start() == Lines{R"(request t1 __sdk.sleep sleep {"iso":"2023-11-14T22:13:26.000Z",)"
                                R"("targetEpochMs":1700000006000})"});
  CHECK(script.resolve(1, "null") == Lines{"complete null"});
}

TEST_CASE("an invalid sleep target is an InvalidSleepTargetError") {
  for (const char* target : {"'soon'", "NaN", "undefined", "{}", "Infinity", "new Date(NaN)"}) {
    Script script(process_of("try { await ctx.sleepUntil(" + std::string(target) +
                             "); } catch (e) { return e.name; }"));
    INFO(target);
    CHECK(script.start() == Lines{R"(complete "InvalidSleepTargetError")"});
  }
}

TEST_CASE("the same key with the same task and arguments is the same effect") {
  Script script(
      process_of("const a = ctx.task(work, { x: 1, y: 2 }, { key: 'k' });"
                 "const b = ctx.task(work, { y: 2, x: 1 }, { key: 'k' });"
                 "await a; return [a === b, await b];"));
  CHECK(script.start() == Lines{R"(request t1 work shell {"x":1,"y":2})"});
  CHECK(script.commands().at(0).key == "k");
  CHECK(script.resolve(1, "5") == Lines{"complete [true,5]"});
}

TEST_CASE("the same key with other arguments or another task is an error that names the key") {
  CHECK(
      Script(process_of("ctx.task(work, 1, { key: 'k' }); await ctx.task(work, 2, { key: 'k' });"))
          .start() == Lines{"fail TypeError: key \"k\" of task work was used with other arguments: "
                            "one key names one effect"});
  CHECK(
      Script(process_of("const other = defineTask('other', () => ({ kind: 'shell' }));"
                        "ctx.task(work, 1, { key: 'k' }); await ctx.task(other, 1, { key: 'k' });"))
          .start() == Lines{"fail TypeError: key \"k\" was used for task work before, and now for "
                            "other: one key names one effect"});
}

TEST_CASE("a live call takes at least the number that the engine asks for") {
  Script script(
      process_of("await ctx.task(work, 1); await ctx.task(work, 2); await ctx.task(work, 3);"));
  script.start();
  script.next_effect(10);
  CHECK(script.resolve(1, "0") == Lines{"request t10 work shell 2"});
  script.next_effect(0);
  CHECK(script.resolve(10, "0") == Lines{"request t11 work shell 3"});
  CHECK(script.highest_effect() == 11);
}

TEST_CASE("a result for an effect that is not open is the engine's mistake") {
  Script script(process_of("await ctx.task(work, 1);"));
  script.start();
  CHECK(script.resolve(2, "0").at(0).starts_with("BUG"));
}

TEST_CASE("signals are awaited by name and kept until then; events are emitted") {
  Script script(process_of(
      "await ctx.task(work, 1); const a = await ctx.signal('go'); ctx.emit('went', { a });"
      "return [a, await ctx.signal('go')];"));
  script.start();
  CHECK(script.signal("go", "1") == Lines{});
  CHECK(script.resolve(1, "0") == Lines{R"(emit went {"a":1})"});
  CHECK(script.signal("other", "3") == Lines{});
  CHECK(script.signal("go", "2") == Lines{"complete [1,2]"});
}
