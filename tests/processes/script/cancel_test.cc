// run:cancel as the process sees it: everything that it waits for is rejected once, and it may
// clean up.
#include <catch2/catch.hpp>

#include "tests/processes/script/harness.h"

using reprise::test::Lines;
using reprise::test::process_of;
using reprise::test::Script;

namespace {

const char* const kReason = R"({"reason":"enough"})";

// The lines of the cancellation of a process that was started.
Lines cancelled(const std::string& body) {
  Script script(process_of(body));
  script.start();
  return script.cancel_run(kReason);
}

}  // namespace

TEST_CASE("a process that lets a cancellation pass ends as cancelled") {
  for (const char* body :
       {"await ctx.task(work);", "await ctx.signal('go');",
        "await ctx.signal('go', { timeoutMs: 5 });", "await ctx.sleepUntil(9e12);",
        "await ctx.breakpoint({});", "await Promise.all([ctx.task(work), ctx.signal('go')]);",
        "await ctx.parallel.all([() => ctx.task(work), () => ctx.task(work)]);",
        "await ctx.parallel.map([1, 2], () => ctx.task(work), { maxConcurrency: 1 });",
        "await Promise.race([ctx.task(work), ctx.task(work)]);",
        "try { await ctx.task(work); } catch (e) { throw e; }",
        "try { await ctx.task(work); } finally { await null; }",
        "const f = async () => { await ctx.task(work); }; await f();"}) {
    INFO(body);
    CHECK(cancelled(body) == Lines{"cancelled enough"});
  }
}

TEST_CASE("the error says that the run was cancelled and why") {
  CHECK(cancelled("try { await ctx.task(work); } catch (e) {"
                  "return [e.name, e.message, e.reason, e instanceof Error]; }") ==
        Lines{R"(complete ["RunCancelledError","the run was cancelled: enough","enough",true])"});
  Script script(process_of("await ctx.task(work).catch((e) => { throw Error(e.message); });"));
  script.start();
  CHECK(script.cancel_run("{}") == Lines{"fail Error: the run was cancelled"});
}

TEST_CASE("a cancelled process may clean up, and what it then asks for is ordinary") {
  Script script(
      process_of("try { await ctx.task(work, 1); } finally {"
                 "ctx.emit('cleaning', ctx.now()); await ctx.task(work, 2);"
                 "await ctx.signal('done', { timeoutMs: 9 }); }"));
  script.start();
  CHECK(script.cancel_run(kReason) ==
        Lines{R"(emit cleaning "2023-11-14T22:13:22.000Z")", "request t2 work shell 2"});
  CHECK(script.resolve(2, "0") ==
        Lines{R"(request t3 __sdk.signalTimeout sleep {"name":"done","timeoutMs":9})"});
  CHECK(script.signal("done", "0") == Lines{"withdraw t3", "cancelled enough"});
}

TEST_CASE("a process that catches a cancellation and returns is completed") {
  CHECK(cancelled("ctx.task(work); try { await ctx.task(work); } catch { return 'clean'; }") ==
        Lines{R"(complete "clean")"});
}

TEST_CASE("what nobody awaited does not fail a process that goes on after a cancellation") {
  Script script(process_of(
      "ctx.task(work, 1); ctx.signal('a'); (async () => { await ctx.task(work, 2); })();"
      "try { await ctx.task(work, 3); } catch {} await ctx.task(work, 4); return 'clean';"));
  CHECK(script.start().size() == 3);
  CHECK(script.cancel_run(kReason) == Lines{"request t4 work shell 4"});
  CHECK(script.resolve(4, "0") == Lines{R"(complete "clean")"});
}

TEST_CASE("an error of the clean-up fails the run, and so does one that only looks alike") {
  CHECK(cancelled("try { await ctx.task(work); } finally { throw new RangeError('untidy'); }") ==
        Lines{"fail RangeError: untidy"});
  CHECK(cancelled("ctx.task(work); try { await ctx.task(work); } catch {}"
                  "Promise.reject(new RangeError('lost')); await ctx.task(work);") ==
        Lines{"fail RangeError: lost"});
  CHECK(cancelled(
            "try { await ctx.task(work); } catch (e) {"
            "throw Object.assign(new Error(e.message), { name: e.name, reason: e.reason }); }") ==
        Lines{"fail RunCancelledError: the run was cancelled: enough"});
  CHECK(Script(process_of("throw Object.assign(new Error('x'), { name: 'RunCancelledError' });"))
            .start() == Lines{"fail RunCancelledError: x"});
  CHECK(cancelled("try { await ctx.task(work); } catch (e) {"
                  "throw new Error('wrapped', { cause: e }); }") == Lines{"fail Error: wrapped"});
}

TEST_CASE("the error is known by itself, whatever the process does to it") {
  CHECK(cancelled("try { await ctx.task(work); } catch (e) { e.name = 'X'; e.message = 'y';"
                  "delete e.reason; Object.setPrototypeOf(e, null); throw e; }") ==
        Lines{"cancelled enough"});
}

TEST_CASE("a second cancellation rejects what is open by then") {
  Script script(
      process_of("for (const n of [1, 2]) { try { await ctx.task(work, n); } catch (e) { "
                 "ctx.log(e.reason); } }"
                 "await ctx.task(work, 3);"));
  script.start();
  CHECK(script.cancel_run(kReason) == Lines{"log : enough", "request t2 work shell 2"});
  CHECK(script.cancel_run(R"({"reason":"really"})") ==
        Lines{"log : really", "request t3 work shell 3"});
  CHECK(script.cancel_run(R"({"reason":"now"})") == Lines{"cancelled now"});
}

TEST_CASE("the reason is that of the error that passed, not of the last one") {
  Script script(
      process_of("let first; try { await ctx.task(work); } catch (e) { first = e; }"
                 "try { await ctx.task(work); } catch {} throw first;"));
  script.start();
  script.cancel_run(kReason);
  CHECK(script.cancel_run(R"({"reason":"later"})") == Lines{"cancelled enough"});
}

TEST_CASE("a process that stalls after a cancellation ends as cancelled") {
  CHECK(cancelled("ctx.task(work); await new Promise(() => {});") == Lines{"cancelled enough"});
  Script later(process_of(
      "try { await ctx.task(work); } catch {} await ctx.task(work); await new Promise(() => {});"));
  later.start();
  later.cancel_run(kReason);
  CHECK(later.resolve(2, "0") == Lines{"cancelled enough"});
}

TEST_CASE("signals that came early stay, and waits that were cancelled take none") {
  Script script(
      process_of("await Promise.allSettled([ctx.signal('b'), ctx.task(work)]);"
                 "return [await ctx.signal('a'), await ctx.signal('b')];"));
  script.start();
  script.signal("a", "1");
  CHECK(script.cancel_run(kReason) == Lines{});
  CHECK(script.signal("b", "2") == Lines{"complete [1,2]"});
}

TEST_CASE("what a process asked for in the activation that cancels it is kept, as at any end") {
  CHECK(cancelled("try { await ctx.task(work); } finally {"
                  "ctx.task(work, 2); ctx.emit('cleaned'); }") ==
        Lines{"request t2 work shell 2", "emit cleaned null", "cancelled enough"});
}

TEST_CASE("clean-ups run when a cancellation ends the process, and the end is given once") {
  Script script(process_of("ctx.onCleanup(() => ctx.log('tidy')); await ctx.task(work);"));
  script.start();
  CHECK(script.cancel_run(kReason) == Lines{"cancelled enough", "log : tidy"});
  CHECK(script.cancel_run(kReason).at(0).starts_with("BUG"));
}

TEST_CASE("a keyed effect that was cancelled is the same cancelled effect when it is asked again") {
  CHECK(cancelled("try { await ctx.task(work, 1, { key: 'k' }); } catch {}"
                  "await ctx.task(work, 1, { key: 'k' });") == Lines{"cancelled enough"});
}

TEST_CASE("effects are rejected in the order of their numbers, then signals by name") {
  CHECK(cancelled("const seen = []; const on = (name, p) => p.catch(() => seen.push(name));"
                  "const all = [on('b', ctx.signal('b')), on('t1', ctx.task(work)),"
                  "on('a', ctx.signal('a')), on('t2', ctx.task(work)),"
                  "on('t3', ctx.signal('c', { timeoutMs: 1 }))];"
                  "await Promise.all(all); return seen;") ==
        Lines{R"(complete ["t1","t2","t3","a","b"])"});
}

TEST_CASE("a cancellation with many forgotten tasks is dealt with at once") {
  Script script(
      process_of("for (let i = 0; i < 20000; i++) ctx.task(work, i); await ctx.signal('go');"));
  CHECK(script.start().size() == 20000);
  CHECK(script.cancel_run(kReason) == Lines{"cancelled enough"});
}
