#include "processes/agents/agents.h"

#include "processes/agents/beat.h"

namespace reprise {

namespace agents {
namespace {

constexpr size_t kMostIdBytes = 64;
constexpr size_t kMostPromptBytes = 65536;

std::string check_inputs(std::string_view text) {
  return Json::parse(text).is_object() ? "" : "must be an object";
}

std::optional<Refusal> invalid(const std::string& message) {
  return Refusal{Refusal::Kind::kInvalid, "INVALID_SIGNAL", message,
                 "reprise agent:heartbeat AGENT --run-now sends the right one"};
}

std::optional<Refusal> check_beat(const State& state, const Json& beat) {
  for (const auto* name : {"agentId", "prompt", "channel"}) {
    if (text_of(beat, name).empty())
      return invalid("agent.beat needs the text \"" + std::string(name) + "\"");
  }
  const auto id = text_of(beat, "agentId");
  const bool plain = id.size() <= kMostIdBytes && id.find(':') == std::string::npos;
  if (!plain) return invalid("\"" + id + "\" is no agent's id");
  if (number_of(beat, "window", -1) < 0) return invalid("agent.beat needs its window");
  if (text_of(beat, "prompt").size() > kMostPromptBytes) return invalid("the prompt is too long");
  const auto cause = text_of(beat, "cause");
  if (cause != "due" && cause != "now") return invalid("a heartbeat's cause is due or now");
  const auto* agent = state.find(id);
  const bool overlaps = cause == "now" && agent != nullptr && agent->beat;
  if (!overlaps) return std::nullopt;
  return Refusal{Refusal::Kind::kConflict, "HEARTBEAT_RUNNING",
                 "a heartbeat of " + id + " is running",
                 "reprise agent:heartbeat " + id +
                     " shows it; reprise task:cancel agents --effect-key "
                     "beat:" +
                     id + ":" + std::to_string(agent->beat->number) + " gives it up"};
}

class AgentsDecider final : public Decider {
 public:
  void evolve(const Activation& activation) override {
    x_now_ms = activation.at_ms;
    x_key.clear();
    const auto found = x_state.open.find(activation.effect);
    if (found == x_state.open.end()) return;
    x_key = std::move(found->second);
    x_state.open.erase(found);
  }

  void evolve(const CommandRecord& command) override {
    if (command.kind == CommandRecord::Kind::kEmitted) {
      const auto type = text_of(Json::parse(command.data), "type");
      x_state.evolve(type, Json::parse(command.payload), x_now_ms);
    } else if (command.kind == CommandRecord::Kind::kRequested) {
      x_state.open[command.effect] = text_of(Json::parse(command.data), "key");
    }
  }

  std::vector<Command> decide(const Activation& activation) const override {
    switch (activation.kind) {
      case Activation::Kind::kStart:
        return {};
      case Activation::Kind::kSignal:
        return take_signal(activation);
      case Activation::Kind::kResolved:
      case Activation::Kind::kCancelled:
        break;
      case Activation::Kind::kCancelRun:
        return halt(activation);
    }
    if (x_key.empty()) return {};
    const auto value = activation.ok ? activation.value : activation.error;
    return take_result(x_state, x_key, activation.ok, value.empty() ? Json() : Json::parse(value));
  }

  std::optional<Refusal> check(const Activation& signal) const override {
    if (signal.name == "agent.beat") return check_beat(x_state, Json::parse(signal.value));
    return invalid("agents know no signal \"" + std::string(signal.name) + "\"");
  }

  std::string answer(std::string_view text) const override {
    const auto question = Json::parse(text);
    const auto asked = text_of(question, "ask");
    if (asked == "agent") {
      const auto* agent = x_state.find(text_of(question, "id"));
      return agent == nullptr ? "null" : to_json(*agent).dump();
    }
    if (asked != "agents") return "null";
    Json all = Json::array();
    for (const auto& [id, agent] : x_state.agents) all.push_back(to_json(agent));
    return all.dump();
  }

  std::string snapshot() const override {
    return Json{{"now", x_now_ms}, {"state", x_state.to_json()}}.dump();
  }

  bool restore(std::string_view snapshot) override {
    const auto json = Json::parse(snapshot);
    x_now_ms = number_of(json, "now");
    return x_state.restore(json.at("state"));
  }

 private:
  std::vector<Command> take_signal(const Activation& signal) const {
    const auto refusal = check(signal);
    if (!refusal) return begin_beat(x_state, Json::parse(signal.value));
    Command command;
    command.kind = Command::Kind::kEmit;
    command.name = "agents.signal.refused";
    command.json =
        Json{{"name", signal.name}, {"code", refusal->code}, {"message", refusal->message}}.dump();
    return {command};
  }

  static std::vector<Command> halt(const Activation& cancel) {
    Command command;
    command.kind = Command::Kind::kHalt;
    command.cancelled = true;
    command.name = text_of(Json::parse(cancel.value), "reason");
    return {command};
  }

  State x_state;
  int64_t x_now_ms = 0;  ///< of the last activation
  std::string x_key;     ///< of the request that the activation at hand answers
};

std::unique_ptr<Decider> make(const Inputs&) { return std::make_unique<AgentsDecider>(); }

}  // namespace
}  // namespace agents

BuiltIn agents_process() {
  return {"agents", "The agents of a home: their heartbeats, and how they went",
          agents::check_inputs, agents::make};
}

}  // namespace reprise
