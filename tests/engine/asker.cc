#include "tests/engine/asker.h"

#include <map>
#include <nlohmann/json.hpp>

namespace reprise::test {

namespace {

using Json = nlohmann::json;

class Asker final : public Decider {
 public:
  void evolve(const Activation& activation) override {
    const auto effect = std::to_string(activation.effect);
    switch (activation.kind) {
      case Activation::Kind::kStart:
        x_state["asks"] = Json::parse(activation.inputs)["asks"];
        x_state["answers"] = Json::object();
        break;
      case Activation::Kind::kResolved:
        x_state["answers"][effect] = activation.ok
                                         ? Json::parse(activation.value)
                                         : Json{{"error", Json::parse(activation.error)["name"]}};
        break;
      case Activation::Kind::kCancelled:
        x_state["answers"][effect] = {{"cancelled", true}};
        break;
      case Activation::Kind::kSignal:
        x_state["answers"][std::to_string(given_up(activation))] = {{"withdrawn", true}};
        break;
      default:
        break;
    }
  }
  void evolve(const CommandRecord&) override {}

  std::vector<Command> decide(const Activation& activation) const override {
    std::vector<Command> commands;
    if (activation.kind == Activation::Kind::kStart) {
      for (const auto& ask : x_state["asks"]) commands.push_back(request(ask, activation.at_ms));
      return commands;
    }
    if (activation.kind == Activation::Kind::kSignal) {
      commands.emplace_back().kind = Command::Kind::kWithdraw;
      commands.back().effect = given_up(activation);
    }
    if (x_state["answers"].size() == x_state["asks"].size()) {
      Json answers = Json::array();
      for (size_t i = 1; i <= x_state["asks"].size(); ++i) {
        answers.push_back(x_state["answers"][std::to_string(i)]);
      }
      commands.emplace_back().kind = Command::Kind::kComplete;
      commands.back().json = answers.dump();
    }
    return commands;
  }

  std::string snapshot() const override { return x_state.dump(); }
  bool restore(std::string_view snapshot) override {
    x_state = Json::parse(snapshot);
    return true;
  }

 private:
  static uint64_t given_up(const Activation& activation) {
    return Json::parse(activation.value)["effect"];
  }

  static Command request(const Json& ask, int64_t now_ms) {
    Command command;
    command.task = "ask";
    command.effect_kind = ask.value("kind", "agent");
    command.label = ask.value("label", "t");
    command.key = ask.value("key", "");
    command.args = "{}";
    command.definition = ask.value("definition", Json::object()).dump();
    if (ask.contains("options")) command.options = ask["options"].dump();
    if (ask.contains("dueMs")) command.due_ms = now_ms + ask["dueMs"].get<int64_t>();
    return command;
  }

  Json x_state;
};

}  // namespace

BuiltIn asker() {
  return {"asker", "", [](std::string_view) { return std::string(); },
          [](const Inputs&) -> std::unique_ptr<Decider> { return std::make_unique<Asker>(); }};
}

}  // namespace reprise::test
