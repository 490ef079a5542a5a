// Large values and large numbers: everything over 64 KiB is a blob, everything many is spread.
#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/engine/run_fixture.h"

namespace reprise::test {
namespace {

TEST_CASE("A large result comes back from its blob, live and replayed") {
  World world;
  const std::string large = "\"" + std::string(200'000, 'x') + "\"";
  const auto run = at_every_prefix(world, R"(import { defineTask } from 'reprise';
const step = defineTask('step', () => ({ kind: 'agent' }));
export async function process(inputs, ctx) {
  return (await ctx.task(step, {})).length;
})",
                                   "{}", [&](TestRun& r) {
                                     r.iterate();
                                     r.post("t1", large);
                                     r.iterate();
                                   });
  CHECK(run.end() == "200000");
}

TEST_CASE("Large inputs, arguments, definitions, events, errors and outputs go through blobs") {
  World world;
  const std::string inputs = R"({"text":")" + std::string(100'000, 'i') + "\"}";
  const auto ends = [&](const std::string& body) {
    const auto run = at_every_prefix(world,
                                     R"(
      import { defineTask } from 'reprise';
      const step = defineTask('step', (args) => ({ kind: 'agent', prompt: args.text + args.text }));
      export async function process(inputs, ctx) {
        ctx.emit('large', inputs);
        const posted = await ctx.task(step, inputs).catch((error) => error.data.text);)" +
                                         body + "}",
                                     inputs, [](TestRun& r) {
                                       r.iterate();
                                       r.post_error("t1", R"({"message":"no","data":{"text":")" +
                                                              std::string(90'000, 'e') + "\"}}");
                                       r.iterate();
                                     });
    size_t longest = 0;
    for_each_event(run.cut(run.commits()).dir(), [&](const RecordView& record) {
      longest = std::max(longest, record.data.size());
    });
    CHECK(longest < kInlineValueBytes);
    return run.end();
  };
  CHECK(ends("return inputs.text + posted;").size() == 190'002);
  CHECK(ends("ctx.halt('large', inputs);") == "halted: large");
  CHECK(ends("throw new Error(inputs.text);").size() == 100'015);
}

TEST_CASE("More sleeps than one commit takes are resolved in several, each once") {
  World world;
  TestRun run(world,
              "export async function process(inputs, ctx) {"
              "let woken = 0; await Promise.all(Array.from({ length: 10001 }, "
              "async () => { await ctx.sleepUntil(Date.now() + 1); woken++; }));"
              "return woken; }");
  run.iterate();
  world.clock.advance(1000);
  CHECK(run.iterate().commits == 2);
  CHECK(run.end() == "10001");
  CHECK(run.state().counts.resolved_ok == 10'001);
  run.check_replay();
}

}  // namespace
}  // namespace reprise::test
