// What replay refuses: a process that decides something else than what is recorded.
#include <catch2/catch.hpp>

#include "engine/decider_machine.h"
#include "journal/blobs.h"
#include "journal/error.h"
#include "processes/checklist/checklist.h"
#include "tests/engine/run_fixture.h"

namespace reprise::test {
namespace {

std::string two_steps(const std::string& first, const std::string& second) {
  return R"(import { defineTask } from 'reprise';
const step = defineTask('step', ({ name }) => ({ kind: 'agent', title: name }));
const other = defineTask('other', ({ name }) => ({ kind: 'agent', title: name }));
export async function process(inputs, ctx) {
  )" + first +
         " " + second + "\n}\n";
}

/// Why the journal of one run cannot be replayed with the source of the other. The digest in the
/// journal guards its own.
std::optional<Error> replay_error(World& world, TestRun& recorded, TestRun& changed) {
  auto open = open_run(recorded.dir(), world.context, Read::kAll);
  auto other = open_run(changed.dir(), world.context, Read::kAll);
  std::optional<Error> found;
  with_machine(changed.dir(), other, world.context, [&](Machine& machine) {
    try {
      Reserve reserve(open.history, open.reader);
      replay(machine, open, recorded.dir(), reserve);
    } catch (const Error& error) {
      found = error;
    }
  });
  return found;
}

/// The same run as if its pinned source had been another from the start: what a changed engine or
/// source would do.
std::string divergence(const std::string& before, const std::string& after) {
  World world;
  TestRun recorded(world, before);
  recorded.iterate();
  recorded.post("t1", "1");
  recorded.iterate();
  TestRun changed(world, after);
  const auto error = replay_error(world, recorded, changed);
  return error ? std::to_string(static_cast<int>(error->exit())) + " " + error->message() : "";
}

const std::string kA = "await ctx.task(step, { name: 'a' });";
const std::string kB = "await ctx.task(step, { name: 'b' });";

TEST_CASE("The same source replays without a divergence") {
  CHECK(divergence(two_steps(kA, kB), two_steps(kA, kB)).empty());
}

TEST_CASE("A swap of two calls is a divergence, never a swap of results") {
  const auto message = divergence(two_steps(kA, kB), two_steps(kB, kA));
  CHECK(message.starts_with("6 "));
  CHECK(message.find("record 2") != std::string::npos);
  CHECK(message.find("recorded request t1 of task \"step\" (label \"a\"") != std::string::npos);
  CHECK(message.find("requested now request t1 of task \"step\" (label \"b\"") !=
        std::string::npos);
}

TEST_CASE("A failure that is cut to fit the message stays Unicode text") {
  for (const std::string shift : {"", "x", "xx"}) {
    const auto thrown = "throw new Error('" + shift + "' + '\u20ac'.repeat(200));";
    CHECK_NOTHROW(parse_value(quote(divergence(two_steps(kA, kB), two_steps(thrown, ""))), "text"));
  }
}

TEST_CASE("An inserted, a removed and a renamed call each diverge") {
  const std::string renamed = "await ctx.task(other, { name: 'a' });";
  CHECK(divergence(two_steps(kA, kB), two_steps("ctx.task(step, { name: 'new' });", kA + kB))
            .starts_with("6 "));
  CHECK(divergence(two_steps(kA, kB), two_steps(kA, "return 1;")).starts_with("6 "));
  CHECK(divergence(two_steps(kA, kB), two_steps(renamed, kB)).starts_with("6 "));
}

TEST_CASE("Changed arguments under the same label diverge") {
  const auto message = divergence(two_steps("await ctx.task(step, { n: 1 }, { label: 'x' });", kB),
                                  two_steps("await ctx.task(step, { n: 2 }, { label: 'x' });", kB));
  CHECK(message.find("arguments ") != std::string::npos);
}

TEST_CASE("A changed label, key, event and end each diverge") {
  const auto call = [](const std::string& options) {
    return two_steps("await ctx.task(step, { name: 'a' }, " + options + ");", kB);
  };
  const auto diverges = [](const std::string& before, const std::string& after) {
    CHECK(divergence(before, before).empty());
    return divergence(before, after).starts_with("6 ");
  };
  CHECK(diverges(call("{ label: 'x' }"), call("{ label: 'y' }")));
  CHECK(diverges(call("{ key: 'x' }"), call("{ key: 'y' }")));
  CHECK(diverges(call("{ key: 'x' }"), call("{}")));
  CHECK(diverges(two_steps("ctx.emit('x', 1);", kA), two_steps("ctx.emit('y', 1);", kA)));
  CHECK(diverges(two_steps("ctx.emit('x', 1);", kA), two_steps("ctx.emit('x', 2);", kA)));
  CHECK(diverges(two_steps(kA, "return 1;"), two_steps(kA, "return 2;")));
  CHECK(diverges(two_steps(kA, "ctx.halt('x');"), two_steps(kA, "ctx.halt('y');")));
  CHECK(diverges(two_steps(kA, "ctx.halt('x');"), two_steps(kA, "throw new Error('x');")));
}

TEST_CASE("A divergence names a difference of the engine first") {
  World world;
  const auto source = two_steps(kA, kB);
  TestRun recorded(world, source);
  recorded.iterate();
  auto open = open_run(recorded.dir(), world.context, Read::kAll);
  std::string message;
  world.scripts.run([&] {
    const ScriptIdentity identity{.run_id = "r",
                                  .run_dir = "/r",
                                  .process_id = "p",
                                  .seed = std::string(32, '0'),
                                  .entry = "main.js",
                                  .export_name = "process",
                                  .engine = "mozjs-91.0"};
    ScriptMachine machine(world.scripts, identity, {{"main.js", two_steps(kB, kA)}}, kStartMs, 1);
    try {
      Reserve reserve(open.history, open.reader);
      replay(machine, open, recorded.dir(), reserve);
    } catch (const Error& error) {
      message = error.message();
    }
  });
  CHECK(message.starts_with("recorded with mozjs-91.0, this is mozjs-"));
}

TEST_CASE("A call more and a call less at the end of an activation each diverge") {
  const auto more = divergence(two_steps(kA, "return 1;"), two_steps(kA, "ctx.emit('x', 1);" + kB));
  CHECK(more.find("recorded completion") != std::string::npos);
  const auto both = two_steps("ctx.task(step, { name: 'b' });", kA);
  CHECK(divergence(two_steps("", kA), both)
            .find("requested now request t1 of task \"step\" (label \"b") != std::string::npos);
  const std::string other = "ctx.task(step, { name: 'b' });";
  const auto wait = two_steps("const a = ctx.task(step, { name: 'a' });", "await a;");
  const auto and_other = two_steps("const a = ctx.task(step, { name: 'a' });" + other, "await a;");
  CHECK(divergence(wait, and_other).find("recorded nothing more") != std::string::npos);
  CHECK(divergence(and_other, wait).find("requested now nothing more") != std::string::npos);
}

/// The same when the history was given to the code `second` first, and the source of that changed.
std::string divergence_from_plan(const std::string& first, const std::string& second,
                                 const std::string& after) {
  World world;
  TestRun recorded(world, first);
  recorded.iterate();
  recorded.post("t1", "1");
  recorded.iterate();
  recorded.assign(second);
  TestRun changed(world, after);
  const auto error = replay_error(world, recorded, changed);
  return error ? error->code() + ": " + error->message() : "";
}

TEST_CASE("New code that decides something else over the history than was planned diverges") {
  const std::string emit = "ctx.emit('x', 1);";
  const auto first = two_steps(kA, kB);
  const auto second = two_steps(kA + emit, kB + kB);
  const auto diverges = [&](const std::string& after) {
    const auto message = divergence_from_plan(first, second, after);
    CHECK(message.starts_with("DIVERGED: the replay diverged after activation "));
    CHECK(message.find("when the code was assigned (record 5)") != std::string::npos);
    return message.substr(message.find("planned"));
  };
  CHECK(divergence_from_plan(first, second, second).empty());
  CHECK(diverges(two_steps(kA + emit, kB.substr(6) + kB)).starts_with("planned nothing more"));
  CHECK(diverges(two_steps(kA + emit,
                           "await 0;"
                           "await new Promise(() => {});"))
            .find("ProcessStalled") != std::string::npos);
  CHECK(diverges(two_steps(kA, kB)).starts_with("planned event \"x\" (payload 1); requested now"));
  CHECK(diverges(two_steps(kB, kA)).starts_with("planned request t1 "));
  CHECK(diverges(two_steps(kA + emit, "return 1;")).find("requested now completion") !=
        std::string::npos);
  CHECK(diverges(two_steps(kA + emit, "await ctx.signal('s');")).starts_with("planned "));
}

TEST_CASE("An end that was planned over the history is compared, too") {
  const auto first = two_steps(kA, kB);
  const auto second = two_steps(kA, "throw new Error('x');");
  CHECK(divergence_from_plan(first, second, second).empty());
  CHECK(divergence_from_plan(first, second, two_steps(kA, "return 1;"))
            .find("requested now completion") != std::string::npos);
  const auto waits = two_steps(kA, "await ctx.signal('s');");
  CHECK(divergence_from_plan(first, second, waits).find("requested now nothing more") !=
        std::string::npos);
}

/// What a checklist of `inputs` has against a history of three steps, two of them done.
std::string refusal(const std::string& inputs, bool live) {
  World world({checklist_process()});
  auto run = TestRun::built_in(world, "checklist", R"({"steps":["a","b","c"]})");
  for (const auto* effect : {"t1", "t2"}) {
    run.iterate();
    run.post(effect, "{}");
  }
  run.iterate();
  auto open = open_run(run.dir(), world.context, Read::kAll);
  const Inputs other([&] { return inputs; });
  DeciderMachine machine("checklist", checklist_process().make(other));
  Reserve reserve(open.history, open.reader);
  try {
    replay(machine, open, run.dir(), reserve);
    if (live) machine.advance({.kind = Activation::Kind::kResolved, .seq = 7, .error = "{}"}, 4);
  } catch (const Error& error) {
    return std::to_string(static_cast<int>(error.exit())) + " " + error.code() + ": " +
           error.message();
  }
  return {};
}

TEST_CASE("A record that a built-in process cannot take is named, recorded or live") {
  CHECK(refusal(R"({"steps":["a","b","c"]})", true).empty());
  CHECK(refusal(R"({"steps":["a","b"]})", false).empty());
  CHECK(refusal(R"({"steps":["a"]})", false) ==
        "6 DIVERGED: the process checklist cannot take record 5 of its history: all 1 steps have "
        "their results");
  CHECK(refusal(R"({"steps":["a","b"]})", true) ==
        "6 DIVERGED: the process checklist cannot take record 7 of its history: all 2 steps have "
        "their results");
}

TEST_CASE("A pinned source that was edited is refused before anything runs") {
  World world;
  TestRun run(world, two_steps(kA, kB));
  run.iterate();
  replace_file(run.dir(), "process/main.js", two_steps(kB, kA), false);
  try {
    run.iterate();
    FAIL("the edited source was accepted");
  } catch (const Error& error) {
    CHECK(error.exit() == Exit::kCorrupt);
    CHECK(error.code() == "PROCESS_DAMAGED");
  }
}

}  // namespace
}  // namespace reprise::test
