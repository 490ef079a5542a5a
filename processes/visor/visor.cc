#include "processes/visor/visor.h"

#include <algorithm>
#include <array>

#include "processes/visor/bulletin.h"
#include "processes/visor/watch.h"

namespace reprise {

namespace visor {
namespace {

/// What is wrong with a signal; empty: nothing.
std::string problem_of(std::string_view name, const Json& value) {
  if (name != "visor.tick") return "the visor takes visor.tick";
  try {
    read_tick(value);
  } catch (const Json::exception& error) {
    return std::string("visor.tick: ") + error.what();
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

/// For people: what would be told, without the details.
struct Words {
  std::string_view begin;  ///< of an event's type or an effect's label
  std::string_view words;
};
/// What is not listed goes without saying.
constexpr std::array kWords = {Words{"visor.worker.timeout", "a worker takes too long"},
                               Words{"worker.cancel ", "cancel "},
                               Words{"branch.timeout ", "bring to its end "},
                               Words{"visor.signal.channel_degraded", "a channel is degraded"},
                               Words{"visor.signal.idle", "nobody speaks"},
                               Words{"visor.memory.maintained", "memories looked through"},
                               Words{"visor.memory.merged", "memories merged"},
                               Words{"visor.bulletin.requested", "a bulletin is asked for"},
                               Words{"visor.bulletin.generated", "a bulletin"}};

const std::string& name_of(const Command& command) {
  return command.kind == Command::Kind::kEmit ? command.name : command.label;
}

/// For people.
std::string consequences(const std::vector<Command>& commands) {
  std::string what;
  for (const auto& command : commands) {
    const auto& name = name_of(command);
    const auto* known = std::ranges::find_if(
        kWords, [&](const Words& words) { return name.starts_with(words.begin); });
    if (known == kWords.end()) continue;
    const auto one = std::string(known->words) + name.substr(known->begin.size());
    if (what.find(one) == std::string::npos) what += (what.empty() ? "" : ", ") + one;
  }
  return what;
}

bool makes_bulletin(const std::vector<Command>& commands) {
  return std::ranges::any_of(commands, [](const Command& command) {
    return name_of(command).starts_with("visor.bulletin.");
  });
}

Command halt(const Activation& cancel) {
  Command command;
  command.kind = Command::Kind::kHalt;
  command.cancelled = true;
  command.name = Json::parse(cancel.value).value("reason", "");
  return command;
}

class VisorDecider final : public Decider {
 public:
  void evolve(const Activation& activation) override {
    x_now_ms = activation.at_ms;
    x_tick.reset();
    x_resolved = false;
    if (activation.kind == Activation::Kind::kStart) x_state.started_ms = activation.at_ms;
    if (activation.kind == Activation::Kind::kSignal) begin_tick(activation);
    const bool ended = activation.kind == Activation::Kind::kResolved ||
                       activation.kind == Activation::Kind::kCancelled;
    if (ended && x_state.pending.effect != 0 && activation.effect == x_state.pending.effect) {
      x_resolved = true;
      x_state.pending.effect = 0;
    }
  }

  void evolve(const CommandRecord& command) override {
    const auto data = Json::parse(command.data);
    if (command.kind == CommandRecord::Kind::kEmitted) {
      const std::string type = data.at("type");
      x_state.evolve(type, Json::parse(command.payload), x_now_ms);
    } else if (command.kind == CommandRecord::Kind::kRequested) {
      const std::string key = data.at("key");
      x_state.requested(command.effect, key);
    }
  }

  std::vector<Command> decide(const Activation& activation) const override {
    switch (activation.kind) {
      case Activation::Kind::kSignal:
        if (x_tick) return watch(x_state, *x_tick, activation.at_ms);
        return refuse(activation);
      case Activation::Kind::kResolved:
      case Activation::Kind::kCancelled:
        if (x_resolved) return take_result(activation);
        return {};
      case Activation::Kind::kCancelRun:
        return {halt(activation)};
      case Activation::Kind::kStart:
        return {};
    }
    return {};
  }

  std::optional<Refusal> check(const Activation& signal) const override {
    const auto problem = problem_of(signal.name, Json::parse(signal.value));
    if (problem.empty()) return std::nullopt;
    return Refusal{Refusal::Kind::kInvalid, "INVALID_SIGNAL", problem, "reprise heartbeat ticks"};
  }

  std::string answer(std::string_view question) const override {
    const auto asked = Json::parse(question);
    const auto ask = asked.value("ask", "");
    if (ask == "status") return x_state.to_json().dump();
    if (ask == "tick") return foresee(asked).dump();
    return "null";
  }

  std::string snapshot() const override {
    return Json{{"now", x_now_ms}, {"state", x_state.to_json()}}.dump();
  }

  bool restore(std::string_view snapshot) override {
    const auto json = Json::parse(snapshot);
    if (json.at("state").value("version", 0) != 1) return false;
    x_now_ms = json.at("now");
    x_state = State::from_json(json.at("state"));
    return true;
  }

 private:
  void begin_tick(const Activation& signal) {
    const auto value = Json::parse(signal.value);
    if (!problem_of(signal.name, value).empty()) return;
    auto tick = read_tick(value);
    if (tick.window == x_state.window) return;
    x_state.begin(tick, signal.at_ms);
    x_tick = std::move(tick);
  }

  /// The second tick of a window is no fault, and nothing follows from it.
  static std::vector<Command> refuse(const Activation& signal) {
    const auto problem = problem_of(signal.name, Json::parse(signal.value));
    if (problem.empty()) return {};
    return {event("visor.signal.refused", {{"name", signal.name}, {"message", problem}})};
  }

  std::vector<Command> take_result(const Activation& result) const {
    if (result.ok) return take_text(x_state, Json::parse(result.value), {}, result.at_ms);
    const auto error = result.error.empty() ? Json() : Json::parse(result.error);
    const auto why = error.is_object() ? error.value("message", error.value("reason", "")) : "";
    return take_text(x_state, Json(), why.empty() ? "nobody wrote it" : why, result.at_ms);
  }

  Json foresee(const Json& asked) const {
    const auto tick = read_tick(asked.at("value"));
    const int64_t at_ms = asked.at("at");
    if (tick.window == x_state.window) return {{"decides", false}, {"bulletin", false}};
    auto state = x_state;
    state.begin(tick, at_ms);
    const auto commands = watch(state, tick, at_ms);
    const auto maintenance_ms = tick.settings.maintenance_ms;
    return {{"decides", !commands.empty()},
            {"bulletin", makes_bulletin(commands)},
            {"what", consequences(commands)},
            {"maintenance", at_ms / maintenance_ms != x_state.maintained_ms / maintenance_ms},
            {"examinedUntil", x_state.examined_ms}};
  }

  State x_state;
  int64_t x_now_ms = 0;        ///< of the last activation
  std::optional<Tick> x_tick;  ///< that the activation at hand is; nullopt: it changes nothing
  bool x_resolved = false;     ///< it is the end of the pending bulletin
};

std::string check_inputs(std::string_view text) {
  return Json::parse(text).is_object() ? "" : "must be an object";
}

std::unique_ptr<Decider> make(const Inputs&) { return std::make_unique<VisorDecider>(); }

}  // namespace
}  // namespace visor

BuiltIn visor_process() {
  return {"visor", "Watches over the channels of a home, and says what goes on",
          visor::check_inputs, visor::make};
}

}  // namespace reprise
