#include "tests/engine/family_process.h"

#include <map>
#include <nlohmann/json.hpp>

namespace reprise::test {
namespace {

using Json = nlohmann::json;

Command request(const Json& wanted) {
  Command command;
  command.effect_kind = wanted["kind"];
  command.task = command.effect_kind == "run" ? "__sdk.run" : "family.ask";
  command.label = wanted.value("label", command.effect_kind);
  command.args = wanted.value("args", Json::object()).dump();
  command.definition = wanted.value("definition", Json{{"kind", command.effect_kind}}).dump();
  if (wanted.contains("options")) command.options = wanted["options"].dump();
  return command;
}

class Family final : public Decider {
 public:
  void evolve(const Activation& activation) override {
    switch (activation.kind) {
      case Activation::Kind::kStart:
        x_state["inputs"] = Json::parse(activation.inputs);
        x_state["results"] = Json::object();
        break;
      case Activation::Kind::kResolved:
        take(activation.effect, activation.ok ? Json::parse(activation.value) : error(activation));
        break;
      case Activation::Kind::kCancelled:
        take(activation.effect, "cancelled");
        break;
      case Activation::Kind::kCancelRun:
        x_state["reason"] = Json::parse(activation.value)["reason"];
        break;
      case Activation::Kind::kSignal:
        break;
    }
  }
  void evolve(const CommandRecord&) override {}

  std::vector<Command> decide(const Activation& activation) const override {
    const auto& inputs = x_state["inputs"];
    if (activation.kind == Activation::Kind::kStart) {
      std::vector<Command> commands;
      for (const auto& wanted : inputs["ask"]) commands.push_back(request(wanted));
      return commands;
    }
    if (activation.kind == Activation::Kind::kSignal) return {};
    if (activation.kind == Activation::Kind::kCancelRun && inputs.value("cleanUp", false)) {
      return {request({{"kind", "agent"}, {"label", "clean up"}})};
    }
    if (x_state.contains("reason")) return {halt()};
    if (x_state["results"].size() < inputs["ask"].size()) return {};
    Command complete;
    complete.kind = Command::Kind::kComplete;
    auto results = Json::array();
    for (size_t i = 1; i <= inputs["ask"].size(); ++i) {
      results.push_back(x_state["results"][std::to_string(i)]);
    }
    complete.json = results.dump();
    return {complete};
  }

  std::string snapshot() const override { return x_state.dump(); }
  bool restore(std::string_view snapshot) override {
    x_state = Json::parse(snapshot);
    return true;
  }

 private:
  static Json error(const Activation& activation) {
    const auto given = Json::parse(activation.error);
    return {{"name", given["name"]}, {"data", given.value("data", Json())}};
  }
  void take(uint64_t effect, Json result) {
    x_state["results"][std::to_string(effect)] = std::move(result);
  }
  Command halt() const {
    Command command;
    command.kind = Command::Kind::kHalt;
    command.cancelled = true;
    command.name = x_state["reason"];
    return command;
  }

  Json x_state;
};

}  // namespace

BuiltIn family_process() {
  return {"family", "for tests", [](std::string_view) { return std::string(); },
          [](const Inputs&) -> std::unique_ptr<Decider> { return std::make_unique<Family>(); }};
}

}  // namespace reprise::test
