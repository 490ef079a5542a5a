#include "processes/memory/memory.h"

#include <nlohmann/json.hpp>

namespace reprise {

namespace {

using Json = nlohmann::json;

constexpr const char* kSnapshot = R"({"version":1})";

struct Verb {
  std::string_view signal;
  const char* event;
  std::vector<const char*> texts;  ///< that the value needs
};

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> kVerbs = {{"memory.save", "memory.saved", {"note"}},
                                           {"memory.update", "memory.updated", {"memoryId"}},
                                           {"memory.link", "memory.linked", {"from", "to"}},
                                           {"memory.forget", "memory.forgotten", {"memoryId"}},
                                           {"memory.recall", "memory.recalled", {"query"}}};
  return kVerbs;
}

const Verb* find_verb(std::string_view signal) {
  for (const auto& verb : verbs()) {
    if (verb.signal == signal) return &verb;
  }
  return nullptr;
}

/// What is wrong with a signal; empty: nothing.
std::string problem_of(const Verb* verb, const Json& value) {
  if (verb == nullptr) {
    return "a memory takes memory.save, memory.update, memory.link, memory.forget and "
           "memory.recall";
  }
  if (!value.is_object()) return std::string(verb->signal) + " needs an object";
  for (const auto* name : verb->texts) {
    const auto found = value.find(name);
    const bool there = found != value.end() && found->is_string();
    if (!there || found->get_ref<const std::string&>().empty()) {
      return std::string(verb->signal) + " needs the text \"" + name + "\"";
    }
  }
  return {};
}

Command event(const char* type, const Json& payload) {
  Command command;
  command.kind = Command::Kind::kEmit;
  command.name = type;
  command.json = payload.dump();
  return command;
}

class Remembering final : public Decider {
 public:
  void evolve(const Activation&) override {}
  void evolve(const CommandRecord&) override {}

  std::vector<Command> decide(const Activation& activation) const override {
    if (activation.kind == Activation::Kind::kSignal) return {tell(activation)};
    if (activation.kind != Activation::Kind::kCancelRun) return {};
    Command command;
    command.kind = Command::Kind::kHalt;
    command.cancelled = true;
    command.name = Json::parse(activation.value).value("reason", "");
    return {command};
  }

  std::optional<Refusal> check(const Activation& signal) const override {
    const auto problem = problem_of(find_verb(signal.name), Json::parse(signal.value));
    if (problem.empty()) return std::nullopt;
    return Refusal{Refusal::Kind::kInvalid, "INVALID_SIGNAL", problem,
                   "memory:save and its like send the right ones"};
  }

  std::string snapshot() const override { return kSnapshot; }
  bool restore(std::string_view snapshot) override { return snapshot == kSnapshot; }

 private:
  static Command tell(const Activation& signal) {
    const auto* verb = find_verb(signal.name);
    auto value = Json::parse(signal.value);
    if (const auto problem = problem_of(verb, value); !problem.empty()) {
      return event("memory.signal.refused", {{"name", signal.name}, {"message", problem}});
    }
    if (verb->signal == "memory.save" && !value.contains("memoryId")) {
      value["memoryId"] = "m" + std::to_string(signal.seq);
    }
    return event(verb->event, value);
  }
};

std::string check_inputs(std::string_view text) {
  return Json::parse(text).is_object() ? "" : "must be an object";
}

std::unique_ptr<Decider> make_memory(const Inputs&) { return std::make_unique<Remembering>(); }

}  // namespace

BuiltIn memory_process() {
  return {"memory", "The memory of a home: tells what memory:save and its like are given",
          check_inputs, make_memory};
}

}  // namespace reprise
