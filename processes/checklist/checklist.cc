// State: which step is out, and how each finished one went.
//
//   Start                  -> request step 0, or complete when there is none
//   result of step i       -> request step i+1; after the last one: complete
//   failure of step i      -> "stop": fail; "continue": as above
//
// A list may be long and is folded often, so results and snapshots are read by simdjson, and a step
// stays text until it is asked for.
#include "processes/checklist/checklist.h"

#include <simdjson.h>

#include <nlohmann/json.hpp>
#include <utility>

namespace reprise {

namespace {

using Json = nlohmann::ordered_json;

constexpr int64_t kSnapshotVersion = 1;

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

/// Reads members of objects without building the rest of the document; its buffers are kept from
/// one text to the next.
class Reader {
 public:
  /// Calls visit(name, value) for each member; nothing when `json` is no object.
  template <typename Visit>
  void members(std::string_view json, Visit visit) {
    x_text.assign(json).append(simdjson::SIMDJSON_PADDING, ' ');
    const simdjson::padded_string_view padded(x_text.data(), json.size(), x_text.size());
    simdjson::ondemand::document document;
    simdjson::ondemand::object object;
    if (x_parser.iterate(padded).get(document) || document.get_object().get(object)) return;
    for (auto field : object) {
      simdjson::ondemand::value value;
      std::string_view name;
      if (field.unescaped_key().get(name) || field.value().get(value)) return;
      visit(name, value);
    }
  }

 private:
  std::string x_text;
  simdjson::ondemand::parser x_parser;
};

std::string raw_json(simdjson::ondemand::value value) {
  std::string_view raw;
  if (simdjson::to_json_string(value).get(raw)) return {};
  return std::string(raw.substr(0, raw.find_last_not_of(' ') + 1));
}

template <typename Visit>
void elements(simdjson::ondemand::value list, Visit visit) {
  simdjson::ondemand::array array;
  if (list.get_array().get(array)) return;
  for (auto element : array) {
    simdjson::ondemand::value value;
    if (element.get(value)) return;
    visit(value);
  }
}

/// A shell result is a failure when it says so: success false, or an exit code that is not 0.
Finished judge(Reader& reader, std::string_view result) {
  Finished finished;
  reader.members(result, [&](std::string_view name, simdjson::ondemand::value value) {
    if (name == "success") {
      bool success = true;
      if (!value.get_bool().get(success) && !success) finished.status = Status::kFailed;
    } else if (name == "exitCode") {
      finished.exit_code = raw_json(value);
      if (Json::parse(finished.exit_code) != 0) finished.status = Status::kFailed;
    }
  });
  return finished;
}

class Checklist final : public Decider {
 public:
  void evolve(const Activation& activation) override {
    switch (activation.kind) {
      case Activation::Kind::kStart:
        x_reader.members(activation.inputs, [this](auto name, auto value) { set_up(name, value); });
        break;
      case Activation::Kind::kResolved:
        finish(activation.ok ? judge(x_reader, activation.value) : Finished{Status::kFailed, {}});
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
    if (x_done.size() == x_steps.size()) return {completion()};
    return {request(x_done.size())};
  }

  std::string snapshot() const override {
    std::string text = "{\"version\":" + std::to_string(kSnapshotVersion);
    text += x_stop ? R"(,"onFailure":"stop","steps":[)" : R"(,"onFailure":"continue","steps":[)";
    for (const auto& step : x_steps) (text += step) += ',';
    if (!x_steps.empty()) text.pop_back();
    text += R"(],"done":[)";
    for (const auto& done : x_done) {
      text += '[' + std::to_string(static_cast<int>(done.status));
      if (!done.exit_code.empty()) (text += ',') += done.exit_code;
      text += "],";
    }
    if (!x_done.empty()) text.pop_back();
    return text + "]}";
  }

  bool restore(std::string_view snapshot) override {
    int64_t version = 0;
    x_reader.members(snapshot, [&](std::string_view name, simdjson::ondemand::value value) {
      if (name == "version") {
        version = value.get_int64().value_unsafe();
      } else if (name == "done") {
        elements(value, [this](auto done) { finish(read_finished(done)); });
      } else {
        set_up(name, value);
      }
    });
    return version == kSnapshotVersion;
  }

 private:
  /// A member of the inputs.
  void set_up(std::string_view name, simdjson::ondemand::value value) {
    if (name == "onFailure") x_stop = raw_json(value) != R"("continue")";
    if (name == "steps") {
      elements(value, [this](auto step) { x_steps.push_back(raw_json(step)); });
    }
  }

  static Finished read_finished(simdjson::ondemand::value list) {
    std::vector<std::string> parts;
    elements(list, [&](auto part) { parts.push_back(raw_json(part)); });
    return {static_cast<Status>(parts.at(0).front() - '0'), parts.size() > 1 ? parts[1] : ""};
  }

  void finish(Finished finished) {
    x_failed += finished.status == Status::kOk ? 0 : 1;
    x_done.push_back(std::move(finished));
  }

  Json step(size_t index) const { return step_of(Json::parse(x_steps[index])); }

  Command request(size_t index) const {
    const auto wanted = step(index);
    Json shell = {{"command", wanted["run"]}, {"expectedExitCode", 0}};
    for (const auto* option : {"cwd", "timeoutMs"}) {
      if (wanted.contains(option)) shell[option] = wanted[option];
    }
    Command command;
    command.kind = Command::Kind::kRequest;
    command.task = "checklist.step";
    command.effect_kind = "shell";
    command.label = step_name(wanted);
    command.args = Json{{"run", wanted["run"]}, {"step", index + 1}}.dump();
    command.definition =
        Json{{"kind", "shell"}, {"title", command.label}, {"shell", std::move(shell)}}.dump();
    return command;
  }

  Json done(size_t index) const {
    const auto wanted = step(index);
    const auto& finished = x_done[index];
    Json done = {{"name", step_name(wanted)},
                 {"run", wanted["run"]},
                 {"status", kStatusNames[static_cast<size_t>(finished.status)]}};
    if (!finished.exit_code.empty()) done["exitCode"] = Json::parse(finished.exit_code);
    return done;
  }

  Command completion() const {
    auto steps = Json::array();
    for (size_t i = 0; i < x_done.size(); ++i) steps.push_back(done(i));
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
    const auto last = done(x_done.size() - 1);
    auto message = "step " + std::to_string(x_done.size()) + " of " +
                   std::to_string(x_steps.size()) + ", " + last["name"].dump() + ", " +
                   (last["status"] == "cancelled" ? "was cancelled" : "failed");
    if (last.contains("exitCode")) message += " with exit code " + last["exitCode"].dump();
    Command command;
    command.kind = Command::Kind::kFail;
    command.json = Json{{"name", "StepFailed"}, {"message", std::move(message)}}.dump();
    return command;
  }

  Reader x_reader;
  bool x_stop = true;
  std::vector<std::string> x_steps;  ///< as given, JSON: only the one that is asked for is parsed
  std::vector<Finished> x_done;
  size_t x_failed = 0;
};

std::unique_ptr<Decider> make_checklist() { return std::make_unique<Checklist>(); }

}  // namespace

BuiltIn checklist_process() {
  return {"checklist", "Shell steps, one after the other; stop or go on at a failure", check_inputs,
          make_checklist};
}

}  // namespace reprise
