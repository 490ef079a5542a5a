// State: which step is out, and how each finished one went.
//
//   Start                  -> request step 0, or complete when there is none
//   result of step i       -> request step i+1; after the last one: complete
//   failure of step i      -> "stop": fail; "continue": as above
#include "processes/checklist/checklist.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace reprise {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kSnapshotVersion = 1;

Json step_of(const Json& given) { return given.is_string() ? Json{{"run", given}} : given; }

std::string step_name(const Json& step) {
  return step.value("name", step.at("run").get<std::string>());
}

std::string check_step(const Json& given, size_t index) {
  const auto where = "steps[" + std::to_string(index) + "] ";
  if (!given.is_string() && !given.is_object()) {
    return where + "must be a command line or an object with \"run\"";
  }
  const auto step = step_of(given);
  if (!step.contains("run") || !step["run"].is_string() || step["run"] == "") {
    return where + "needs \"run\", a command line";
  }
  if (step.contains("name") && !step["name"].is_string())
    return where + "has a name that is no text";
  return {};
}

std::string check_inputs(std::string_view text) {
  const auto inputs = Json::parse(text);
  if (!inputs.is_object() || !inputs.contains("steps") || !inputs["steps"].is_array()) {
    return R"(need "steps", a list of command lines: --input 'steps=["make","make test"]')";
  }
  const auto on_failure = inputs.value("onFailure", Json("stop"));
  if (on_failure != "stop" && on_failure != "continue") {
    return R"("onFailure" must be "stop" or "continue")";
  }
  for (size_t i = 0; i < inputs["steps"].size(); ++i) {
    if (auto wrong = check_step(inputs["steps"][i], i); !wrong.empty()) return wrong;
  }
  return {};
}

/// A shell result is a failure when it says so: success false, or an exit code that is not 0.
bool succeeded(const Json& value) {
  if (!value.is_object()) return true;
  if (value.value("success", Json(true)) == false) return false;
  return value.value("exitCode", Json(0)) == 0;
}

class Checklist final : public Decider {
 public:
  void evolve(const Activation& activation) override {
    switch (activation.kind) {
      case Activation::Kind::kStart:
        begin(Json::parse(activation.inputs));
        break;
      case Activation::Kind::kResolved:
        activation.ok ? finish(Json::parse(activation.value)) : finish_with("failed", Json());
        break;
      case Activation::Kind::kCancelled:
        finish_with("cancelled", Json());
        break;
      case Activation::Kind::kSignal:
        break;
    }
  }

  void evolve(const CommandRecord&) override {}

  std::vector<Command> decide(const Activation& activation) const override {
    if (activation.kind == Activation::Kind::kSignal) return {};
    if (failed() > 0 && x_stop) return {failure()};
    if (x_done.size() == x_steps.size()) return {completion()};
    return {request(x_steps[x_done.size()], x_done.size())};
  }

  std::string snapshot() const override {
    return Json{
        {"version", kSnapshotVersion}, {"stop", x_stop}, {"steps", x_steps}, {"done", x_done}}
        .dump();
  }

  bool restore(std::string_view text) override {
    const auto snapshot = Json::parse(text, nullptr, false);
    if (snapshot.is_discarded() || snapshot.value("version", 0) != kSnapshotVersion) return false;
    x_stop = snapshot.at("stop");
    x_steps = snapshot.at("steps");
    x_done = snapshot.at("done");
    return true;
  }

 private:
  void begin(const Json& inputs) {
    x_stop = inputs.value("onFailure", Json("stop")) == "stop";
    for (const auto& step : inputs.at("steps")) x_steps.push_back(step_of(step));
  }

  void finish(const Json& value) {
    finish_with(succeeded(value) ? "ok" : "failed",
                value.is_object() ? value.value("exitCode", Json()) : Json());
  }

  void finish_with(const char* status, const Json& exit_code) {
    const auto& step = x_steps[x_done.size()];
    Json done = {{"name", step_name(step)}, {"run", step["run"]}, {"status", status}};
    if (!exit_code.is_null()) done["exitCode"] = exit_code;
    x_done.push_back(std::move(done));
  }

  size_t failed() const {
    size_t count = 0;
    for (const auto& step : x_done) count += step["status"] == "ok" ? 0 : 1;
    return count;
  }

  static Command request(const Json& step, size_t index) {
    Json shell = {{"command", step["run"]}, {"expectedExitCode", 0}};
    for (const auto* option : {"cwd", "timeoutMs"}) {
      if (step.contains(option)) shell[option] = step[option];
    }
    Command command;
    command.kind = Command::Kind::kRequest;
    command.task = "checklist.step";
    command.effect_kind = "shell";
    command.label = step_name(step);
    command.args = Json{{"run", step["run"]}, {"step", index + 1}}.dump();
    command.definition =
        Json{{"kind", "shell"}, {"title", command.label}, {"shell", std::move(shell)}}.dump();
    return command;
  }

  Command completion() const {
    Command command;
    command.kind = Command::Kind::kComplete;
    command.json = Json{{"ok", failed() == 0}, {"failed", failed()}, {"steps", x_done}}.dump();
    return command;
  }

  Command failure() const {
    const auto& step = x_done.back();
    auto message = "step " + std::to_string(x_done.size()) + " of " +
                   std::to_string(x_steps.size()) + ", " + step["name"].dump() + ", " +
                   (step["status"] == "cancelled" ? "was cancelled" : "failed");
    if (step.contains("exitCode")) message += " with exit code " + step["exitCode"].dump();
    Command command;
    command.kind = Command::Kind::kFail;
    command.json = Json{{"name", "StepFailed"}, {"message", std::move(message)}}.dump();
    return command;
  }

  bool x_stop = true;
  std::vector<Json> x_steps;
  std::vector<Json> x_done;
};

std::unique_ptr<Decider> make_checklist() { return std::make_unique<Checklist>(); }

}  // namespace

BuiltIn checklist_process() {
  return {"checklist", "Shell steps, one after the other; stop or go on at a failure", check_inputs,
          make_checklist};
}

}  // namespace reprise
