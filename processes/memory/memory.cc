#include "processes/memory/memory.h"

#include <nlohmann/json.hpp>

#include "processes/memory/outbox.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

constexpr const char* kEmbed = "memory.embed";
constexpr size_t kLongestNoteBytes = size_t{64} << 10U;

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
    return "a memory takes memory.save, memory.update, memory.link, memory.forget, memory.recall "
           "and memory.embed";
  }
  if (!value.is_object()) return std::string(verb->signal) + " needs an object";
  for (const auto* name : verb->texts) {
    const auto found = value.find(name);
    const bool there = found != value.end() && found->is_string();
    if (!there || found->get_ref<const std::string&>().empty()) {
      return std::string(verb->signal) + " needs the text \"" + name + "\"";
    }
  }
  const auto note = value.find("note");
  if (note != value.end() && note->is_string() &&
      note->get_ref<const std::string&>().size() > kLongestNoteBytes) {
    return std::string(verb->signal) + ": a note has at most " + std::to_string(kLongestNoteBytes) +
           " bytes";
  }
  return {};
}

/// The same of any signal.
std::string problem_of(std::string_view signal, const Json& value) {
  return signal == kEmbed ? memory::embed_problem(value) : problem_of(find_verb(signal), value);
}

class Remembering final : public Decider {
 public:
  void evolve(const Activation& activation) override {
    x_embeds = false;
    x_embedded = false;
    if (activation.kind == Activation::Kind::kSignal && activation.name == kEmbed) {
      const auto value = Json::parse(activation.value);
      x_embeds = x_outbox.effect == 0 && memory::embed_problem(value).empty();
      if (x_embeds) x_outbox.take(value);
    }
    const bool ended = activation.kind == Activation::Kind::kResolved ||
                       activation.kind == Activation::Kind::kCancelled;
    if (!ended || activation.effect != x_outbox.effect) return;
    x_embedded = true;
    x_outbox.effect = 0;
  }

  void evolve(const CommandRecord& command) override {
    if (command.kind == CommandRecord::Kind::kRequested) {
      const std::string key = Json::parse(command.data).value("key", "");
      x_outbox.requested(command.effect, key);
    } else if (command.kind == CommandRecord::Kind::kEmitted) {
      // Of what is remembered nothing is kept: only these are looked at.
      if (command.data.find("memory.embed") == std::string_view::npos) return;
      const std::string type = Json::parse(command.data).at("type");
      x_outbox.evolve(type, Json::parse(command.payload));
    }
  }

  std::vector<Command> decide(const Activation& activation) const override {
    if (x_embedded) return memory::embedded(x_outbox, activation);
    if (activation.kind == Activation::Kind::kSignal) return tell(activation);
    if (activation.kind != Activation::Kind::kCancelRun) return {};
    Command command;
    command.kind = Command::Kind::kHalt;
    command.cancelled = true;
    command.name = Json::parse(activation.value).value("reason", "");
    return {command};
  }

  std::optional<Refusal> check(const Activation& signal) const override {
    const auto problem = problem_of(signal.name, Json::parse(signal.value));
    if (problem.empty()) return std::nullopt;
    return Refusal{Refusal::Kind::kInvalid, "INVALID_SIGNAL", problem,
                   "memory:save and its like send the right ones"};
  }

  std::string answer(std::string_view question) const override {
    if (Json::parse(question).value("ask", "") != "outbox") return "null";
    return Json{{"batches", x_outbox.batches},
                {"open", x_outbox.effect != 0},
                {"failures", x_outbox.failures},
                {"retryAt", x_outbox.retry_at_ms},
                {"error", x_outbox.error}}
        .dump();
  }

  std::string snapshot() const override {
    return Json{{"version", 2}, {"outbox", x_outbox.to_json()}}.dump();
  }
  bool restore(std::string_view snapshot) override {
    const auto json = Json::parse(snapshot);
    if (json.value("version", 0) != 2) return false;
    x_outbox = memory::Outbox::from_json(json.at("outbox"));
    return true;
  }

 private:
  std::vector<Command> tell(const Activation& signal) const {
    auto value = Json::parse(signal.value);
    if (const auto problem = problem_of(signal.name, value); !problem.empty()) {
      return {
          memory::emitted("memory.signal.refused", {{"name", signal.name}, {"message", problem}})};
    }
    if (signal.name == kEmbed) {
      if (!x_embeds) return {};
      return {memory::embedding_request(x_outbox, value)};
    }
    if (signal.name == "memory.save" && !value.contains("memoryId")) {
      value["memoryId"] = "m" + std::to_string(signal.seq);
    }
    return {memory::emitted(find_verb(signal.name)->event, value)};
  }

  memory::Outbox x_outbox;
  bool x_embeds = false;    ///< the signal at hand begins a batch
  bool x_embedded = false;  ///< the activation at hand is the end of one
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
