// A built-in process that tells: it is given its own events again at each replay, whole.
#include <catch2/catch.hpp>

#include "journal/blobs.h"
#include "tests/engine/run_fixture.h"

namespace reprise::test {
namespace {

/// Tells its inputs and asks for one effect; ends with how many bytes it told.
class Teller final : public Decider {
 public:
  void evolve(const Activation&) override {}
  void evolve(const CommandRecord& command) override {
    if (command.kind == CommandRecord::Kind::kEmitted) x_told += command.payload.size();
  }
  std::vector<Command> decide(const Activation& activation) const override {
    std::vector<Command> commands(1);
    if (activation.kind != Activation::Kind::kStart) {
      commands[0].kind = Command::Kind::kComplete;
      commands[0].json = std::to_string(x_told);
      return commands;
    }
    commands[0].kind = Command::Kind::kEmit;
    commands[0].name = "told";
    commands[0].json = activation.inputs;
    auto& ask = commands.emplace_back();
    ask.kind = Command::Kind::kRequest;
    ask.task = ask.effect_kind = ask.label = "agent";
    ask.args = ask.definition = "{}";
    return commands;
  }
  std::string snapshot() const override { return std::to_string(x_told); }
  bool restore(std::string_view snapshot) override {
    x_told = std::stoull(std::string(snapshot));
    return true;
  }

 private:
  size_t x_told = 0;
};

BuiltIn teller() {
  return {"teller", "", [](std::string_view) { return std::string(); },
          [](const Inputs&) -> std::unique_ptr<Decider> { return std::make_unique<Teller>(); }};
}

TEST_CASE("An event is folded whole, in the journal or in a blob, at every prefix") {
  for (const size_t size : {size_t{10}, 2 * kInlineValueBytes}) {
    World world({teller()});
    const auto run = at_every_prefix(
        TestRun::built_in(world, "teller", '"' + std::string(size - 2, 'x') + '"'), [](TestRun& r) {
          r.iterate();
          if (!r.state().end) r.post("t1", "1");
          r.iterate();
        });
    CHECK(run.end() == std::to_string(size));
  }
}

}  // namespace
}  // namespace reprise::test
