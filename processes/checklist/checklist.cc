// State: which step is out, and how each finished one went.
//
//   Start                  -> request step 0, or complete when there is none
//   result of step i       -> request step i+1; after the last one: complete
//   failure of step i      -> "stop": fail; "continue": as above
//
// A list may be long and is folded often. So the state is small: the steps stay in the inputs,
// where the place of the next one is kept, and of those that are done only what was unusual, as
// text that nobody reads before the end.
#include "processes/checklist/checklist.h"

#include <charconv>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "json/scan.h"

namespace reprise {

namespace {

using Json = nlohmann::ordered_json;

constexpr uint64_t kSnapshotVersion = 2;

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
  if (!step.contains("run") || !step["run"].is_string() ||
      step["run"].get_ref<const std::string&>().empty()) {
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

enum class Status : uint8_t { kOk, kFailed, kCancelled };
constexpr const char* kStatusNames[] = {"ok", "failed", "cancelled"};

struct Finished {
  Status status = Status::kOk;
  std::string exit_code;  ///< as the result gave it, JSON; empty when it gave none
};

/// The usual end of a step, of which there are many.
bool is_usual(const Finished& finished) {
  return finished.status == Status::kOk && finished.exit_code == "0";
}

uint64_t number_of(std::string_view raw) {
  uint64_t number = 0;
  std::from_chars(raw.data(), raw.data() + raw.size(), number);
  return number;
}

/// The list of steps in the inputs: a view into them.
std::string_view steps_of(std::string_view inputs) {
  std::string_view steps;
  json::members(inputs, [&](std::string_view name, std::string_view raw) {
    if (name == "steps") steps = raw;
  });
  return steps;
}

/// A shell result is a failure when it says so: success false, or an exit code that is not 0.
Finished judge(std::string_view result) {
  Finished finished;
  json::members(result, [&](std::string_view name, std::string_view raw) {
    if (name == "success") {
      if (raw == "false") finished.status = Status::kFailed;
    } else if (name == "exitCode") {
      finished.exit_code = raw;
      if (raw != "0" && Json::parse(raw) != 0) finished.status = Status::kFailed;
    }
  });
  return finished;
}

class Checklist final : public Decider {
 public:
  explicit Checklist(const Inputs& inputs) : x_inputs(inputs) {}

  void evolve(const Activation& activation) override {
    switch (activation.kind) {
      case Activation::Kind::kStart:
        set_up();
        break;
      case Activation::Kind::kResolved:
        finish(activation.ok ? judge(activation.value) : Finished{Status::kFailed, {}});
        break;
      case Activation::Kind::kCancelled:
        finish({Status::kCancelled, {}});
        break;
      case Activation::Kind::kSignal:
      case Activation::Kind::kCancelRun:
        break;
    }
  }

  void evolve(const CommandRecord&) override {}

  std::vector<Command> decide(const Activation& activation) const override {
    if (activation.kind == Activation::Kind::kSignal) return {};
    if (activation.kind == Activation::Kind::kCancelRun) return {cancellation(activation.value)};
    if (x_failed > 0 && x_stop) return {failure()};
    if (x_done == x_total) return {completion()};
    return {request()};
  }

  std::string snapshot() const override {
    std::string text = "{\"version\":" + std::to_string(kSnapshotVersion);
    text += x_stop ? R"(,"onFailure":"stop")" : R"(,"onFailure":"continue")";
    text += ",\"total\":" + std::to_string(x_total) + ",\"done\":" + std::to_string(x_done);
    text += ",\"failed\":" + std::to_string(x_failed) + ",\"next\":" + std::to_string(x_next);
    return text + ",\"unusual\":[" + x_unusual + "]}";
  }

  bool restore(std::string_view snapshot) override {
    uint64_t version = 0;
    json::members(snapshot, [&](std::string_view name, std::string_view raw) {
      if (name == "version") version = number_of(raw);
      if (name == "onFailure") x_stop = raw != R"("continue")";
      if (name == "total") x_total = number_of(raw);
      if (name == "done") x_done = number_of(raw);
      if (name == "failed") x_failed = number_of(raw);
      if (name == "next") x_next = number_of(raw);
      if (name == "unusual") x_unusual = raw.substr(1, raw.size() - 2);
    });
    return version == kSnapshotVersion;
  }

 private:
  void set_up() {
    const auto inputs = x_inputs.text();
    json::members(inputs, [&](std::string_view name, std::string_view raw) {
      if (name == "onFailure") x_stop = raw != R"("continue")";
    });
    const auto steps = steps_of(inputs);
    json::elements(steps, [&](std::string_view) { ++x_total; });
    x_next = static_cast<size_t>(steps.data() - inputs.data()) + 1;
  }

  void finish(Finished finished) {
    if (x_done == x_total) {
      throw std::out_of_range("all " + std::to_string(x_total) + " steps have their results");
    }
    if (!is_usual(finished)) {
      if (!x_unusual.empty()) x_unusual += ',';
      x_unusual +=
          '[' + std::to_string(x_done) + ',' + std::to_string(static_cast<int>(finished.status));
      x_unusual += finished.exit_code.empty() ? "]" : ',' + finished.exit_code + ']';
    }
    const auto step = step_text(x_next);
    x_failed += finished.status == Status::kOk ? 0 : 1;
    x_last = {x_next, std::move(finished)};
    x_next = static_cast<size_t>(step.data() - x_inputs.text().data()) + step.size() + 1;
    ++x_done;
  }

  /// The step that begins at this place of the inputs.
  std::string_view step_text(size_t place) const {
    std::string_view raw;
    json::Cursor(x_inputs.text().substr(place)).value(raw);
    return raw;
  }

  Command request() const {
    const auto wanted = step_of(Json::parse(step_text(x_next)));
    Json shell = {{"command", wanted["run"]}, {"expectedExitCode", 0}};
    for (const auto* option : {"cwd", "timeoutMs"}) {
      if (wanted.contains(option)) shell[option] = wanted[option];
    }
    Command command;
    command.kind = Command::Kind::kRequest;
    command.task = "checklist.step";
    command.effect_kind = "shell";
    command.label = step_name(wanted);
    command.args = Json{{"run", wanted["run"]}, {"step", x_done + 1}}.dump();
    command.definition =
        Json{{"kind", "shell"}, {"title", command.label}, {"shell", std::move(shell)}}.dump();
    return command;
  }

  static Json report(std::string_view step, const Finished& finished) {
    const auto wanted = step_of(Json::parse(step));
    Json done = {{"name", step_name(wanted)},
                 {"run", wanted["run"]},
                 {"status", kStatusNames[static_cast<size_t>(finished.status)]}};
    if (!finished.exit_code.empty()) done["exitCode"] = Json::parse(finished.exit_code);
    return done;
  }

  Command completion() const {
    std::vector<Finished> done(x_total, Finished{Status::kOk, "0"});
    json::elements('[' + x_unusual + ']', [&](std::string_view entry) {
      std::vector<std::string_view> parts;
      json::elements(entry, [&](std::string_view part) { parts.push_back(part); });
      done.at(number_of(parts.at(0))) = {static_cast<Status>(number_of(parts.at(1))),
                                         std::string(parts.size() > 2 ? parts[2] : "")};
    });
    auto steps = Json::array();
    json::elements(steps_of(x_inputs.text()), [&](std::string_view step) {
      steps.push_back(report(step, done[steps.size()]));
    });
    Command command;
    command.kind = Command::Kind::kComplete;
    command.json =
        Json{{"ok", x_failed == 0}, {"failed", x_failed}, {"steps", std::move(steps)}}.dump();
    return command;
  }

  static Command cancellation(std::string_view value) {
    Command command;
    command.kind = Command::Kind::kHalt;
    command.cancelled = true;
    command.name = Json::parse(value).value("reason", "");
    return command;
  }

  Command failure() const {
    const auto last = report(step_text(x_last.place), x_last.finished);
    auto message = "step " + std::to_string(x_done) + " of " + std::to_string(x_total) + ", " +
                   last["name"].dump() + ", " +
                   (last["status"] == "cancelled" ? "was cancelled" : "failed");
    if (last.contains("exitCode")) message += " with exit code " + last["exitCode"].dump();
    Command command;
    command.kind = Command::Kind::kFail;
    command.json = Json{{"name", "StepFailed"}, {"message", std::move(message)}}.dump();
    return command;
  }

  struct Last {
    size_t place = 0;
    Finished finished;
  };

  const Inputs& x_inputs;
  bool x_stop = true;
  size_t x_total = 0;
  size_t x_done = 0;
  size_t x_failed = 0;
  size_t x_next = 0;      ///< where in the inputs the step begins that is out, or asked for next
  std::string x_unusual;  ///< [step from 0, status, exit code as JSON if any],...
  Last x_last;            ///< for the activation at hand; no part of the snapshot
};

std::unique_ptr<Decider> make_checklist(const Inputs& inputs) {
  return std::make_unique<Checklist>(inputs);
}

}  // namespace

BuiltIn checklist_process() {
  return {"checklist", "Shell steps, one after the other; stop or go on at a failure", check_inputs,
          make_checklist};
}

}  // namespace reprise
