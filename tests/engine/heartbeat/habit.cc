#include "tests/engine/heartbeat/habit.h"

#include <nlohmann/json.hpp>

namespace reprise::test {
namespace {

using Json = nlohmann::json;

Command sleep_until(int64_t due_ms) {
  Command command;
  command.task = "__sdk.sleep";
  command.effect_kind = "sleep";
  command.label = "sleep";
  command.args = "{}";
  command.definition = R"({"kind":"sleep"})";
  command.due_ms = due_ms;
  return command;
}

Command ask_for(const std::string& kind, const Json& args) {
  Command command;
  command.task = "habit." + kind;
  command.effect_kind = kind;
  command.label = kind;
  command.args = args.dump();
  command.definition = Json{{"kind", kind}}.dump();
  return command;
}

class Habit final : public Decider {
 public:
  void evolve(const Activation& activation) override {
    if (activation.kind == Activation::Kind::kStart) {
      x_state = {{"inputs", Json::parse(activation.inputs)}, {"woke", 0}, {"ok", 0}, {"failed", 0}};
    }
    if (activation.kind != Activation::Kind::kResolved) return;
    const bool was_sleep = x_state["sleep"] == activation.effect;
    const char* counter = was_sleep ? "woke" : activation.ok ? "ok" : "failed";
    x_state[counter] = x_state[counter].get<int>() + 1;
    x_state["wakes"] = was_sleep;
  }
  void evolve(const CommandRecord& command) override {
    if (command.kind != CommandRecord::Kind::kRequested) return;
    const auto data = Json::parse(command.data);
    if (data["kind"] == "sleep") x_state["sleep"] = command.effect;
  }

  std::vector<Command> decide(const Activation& activation) const override {
    const auto& inputs = x_state["inputs"];
    const auto next = sleep_until(activation.at_ms + inputs["everyMs"].get<int64_t>());
    if (activation.kind == Activation::Kind::kStart) return {next};
    if (activation.kind != Activation::Kind::kResolved || !x_state["wakes"]) return {};
    if (x_state["woke"] == inputs.value("failAt", -1)) return {fail()};
    std::vector<Command> commands = {woke()};
    if (inputs.contains("child")) {
      commands.push_back(ask_for("run", {{"entry", "builtin:habit"}, {"inputs", inputs["child"]}}));
    }
    if (inputs.contains("tell")) {
      commands.push_back(
          ask_for("run.signal", {{"run", inputs["tell"]}, {"name", "note"}, {"value", 1}}));
    }
    commands.push_back(x_state["woke"] == inputs["times"] ? complete() : next);
    return commands;
  }

  std::string snapshot() const override { return x_state.dump(); }
  bool restore(std::string_view snapshot) override {
    x_state = Json::parse(snapshot);
    return true;
  }

 private:
  static Command fail() {
    Command command;
    command.kind = Command::Kind::kFail;
    command.json = R"({"name":"Tired","message":"it is enough"})";
    return command;
  }
  Command woke() const {
    Command command;
    command.kind = Command::Kind::kEmit;
    command.name = "woke";
    command.json = x_state["woke"].dump();
    return command;
  }
  Command complete() const {
    Command command;
    command.kind = Command::Kind::kComplete;
    command.json =
        Json{{"woke", x_state["woke"]}, {"ok", x_state["ok"]}, {"failed", x_state["failed"]}}
            .dump();
    return command;
  }

  Json x_state;
};

}  // namespace

BuiltIn habit() {
  return {"habit", "for tests", [](std::string_view) { return std::string(); },
          [](const Inputs&) -> std::unique_ptr<Decider> { return std::make_unique<Habit>(); }};
}

}  // namespace reprise::test
