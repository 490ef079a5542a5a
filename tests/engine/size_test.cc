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

/// Sleeps as often as its inputs, a number, say, all at once.
class Sleeper final : public Decider {
 public:
  void evolve(const Activation& activation) override {
    if (activation.kind == Activation::Kind::kStart)
      x_left = std::stoull(std::string(activation.inputs));
    if (activation.kind == Activation::Kind::kResolved) --x_left;
  }
  void evolve(const CommandRecord&) override {}
  std::vector<Command> decide(const Activation& activation) const override {
    std::vector<Command> commands;
    if (activation.kind == Activation::Kind::kStart) {
      Command sleep;
      sleep.task = sleep.effect_kind = sleep.label = "sleep";
      sleep.args = sleep.definition = "{}";
      sleep.due_ms = activation.at_ms + 1;
      commands.assign(x_left, sleep);
    } else if (x_left == 0) {
      commands.emplace_back().kind = Command::Kind::kComplete;
      commands.back().json = "null";
    }
    return commands;
  }
  std::string snapshot() const override { return std::to_string(x_left); }
  bool restore(std::string_view snapshot) override {
    x_left = std::stoull(std::string(snapshot));
    return true;
  }

 private:
  uint64_t x_left = 0;
};

BuiltIn sleeper() {
  return {"sleeper", "", [](std::string_view) { return std::string(); },
          [](const Inputs&) -> std::unique_ptr<Decider> { return std::make_unique<Sleeper>(); }};
}

TEST_CASE("More sleeps than one commit takes are resolved in several, each once") {
  for (const size_t sleeps : {9'999u, 10'000u, 10'001u}) {
    World world({sleeper()});
    auto run = TestRun::built_in(world, "sleeper", std::to_string(sleeps));
    run.iterate();
    world.clock.advance(1000);
    const auto iteration = run.iterate();
    CHECK(iteration.commits == (sleeps > 10'000 ? 2 : 1));
    CHECK(iteration.activations == sleeps);
    CHECK(run.end() == "null");
    CHECK(run.state().counts.resolved_ok == sleeps);
    run.check_replay();
  }
}

TEST_CASE("A run that is killed between two commits of its sleeps goes on with the second") {
  World world({sleeper()});
  auto whole = TestRun::built_in(world, "sleeper", "10001");
  whole.iterate();
  world.clock.advance(1000);
  whole.iterate();
  REQUIRE(whole.commits() == 4);
  auto run = whole.cut(3);
  CHECK(run.state().counts.resolved_ok == 10'000);
  CHECK(run.iterate().activations == 1);
  CHECK(run.end() == "null");
}

}  // namespace
}  // namespace reprise::test
