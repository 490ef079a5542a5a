#include "tests/simulation/relative.h"

#include <nlohmann/json.hpp>

#include "journal/hash.h"
#include "tests/engine/model_program.h"

namespace reprise::test {

namespace {

using Json = nlohmann::json;

constexpr uint64_t kMostAsked = 12;

Command asks_for(const std::string& kind, const Json& args) {
  Command command;
  command.effect_kind = kind;
  command.task = kind == "run" ? "__sdk.run" : "relative." + kind;
  command.label = kind;
  command.args = args.dump();
  command.definition = Json{{"kind", kind}}.dump();
  return command;
}

class Relative final : public Decider {
 public:
  void evolve(const Activation& activation) override {
    if (activation.kind == Activation::Kind::kStart) x_inputs = Json::parse(activation.inputs);
    x_sum = hash64(std::to_string(activation.seq), x_sum + x_inputs.at("life").get<uint64_t>());
  }
  void evolve(const CommandRecord& command) override {
    x_asked += command.kind == CommandRecord::Kind::kRequested ? 1 : 0;
  }

  std::vector<Command> decide(const Activation& activation) const override {
    const bool start = activation.kind == Activation::Kind::kStart;
    if (x_inputs.contains("number")) {
      if (start) return {asks_for("agent", Json::object())};
      Command complete;
      complete.kind = Command::Kind::kComplete;
      complete.json = x_inputs.dump();
      return {complete};
    }
    if (!start && activation.kind != Activation::Kind::kResolved) return {};
    Dice dice(x_sum);
    std::vector<Command> commands;
    for (auto left = 1 + dice.below(3); left > 0; --left) {
      const auto number = x_asked + commands.size() + 1;
      if (number > kMostAsked) break;
      commands.push_back(ask(dice.below(3), number));
    }
    return commands;
  }

  std::string snapshot() const override { return Json{x_inputs, x_sum, x_asked}.dump(); }
  bool restore(std::string_view snapshot) override {
    const auto state = Json::parse(snapshot);
    x_inputs = state.at(0);
    x_sum = state.at(1);
    x_asked = state.at(2);
    return true;
  }

 private:
  Command ask(uint64_t what, uint64_t number) const {
    const Json token = {{"life", x_inputs["life"]}, {"number", number}};
    if (what == 0) return asks_for("agent", Json::object());
    if (what == 1) return asks_for("run", {{"entry", "builtin:relative"}, {"inputs", token}});
    return asks_for("run.signal", {{"run", x_inputs["peer"]}, {"name", "news"}, {"value", token}});
  }

  Json x_inputs;
  uint64_t x_sum = 1;
  uint64_t x_asked = 0;
};

}  // namespace

BuiltIn relative() {
  return {"relative", "", [](std::string_view) { return std::string(); },
          [](const Inputs&) -> std::unique_ptr<Decider> { return std::make_unique<Relative>(); }};
}

}  // namespace reprise::test
