// The pen of a decision: what is written is folded at once, so that the next thought sees it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/process/process.h"
#include "processes/kit/event.h"

namespace reprise::kit {

/// An effect to be asked for.
struct Request {
  std::string noun;  ///< with `id` the key of the request: who gets the result
  std::string id;
  std::string kind;   ///< "model"
  std::string task;   ///< "channel.reply"
  std::string label;  ///< for people
  Json inputs;
  Json definition = Json::object();  ///< besides "kind"
  Json options = Json::object();     ///< as recorded: engine/task_options.h
  int64_t due_ms = 0;                ///< of a sleep
};

/// State folds events: `void evolve(const Event&)`.
template <typename State>
class Pen {
 public:
  /// `trace`: seq of the record where the story began that is being continued.
  Pen(const State& state, int64_t at_ms, uint64_t trace)
      : x_state(state), x_at_ms(at_ms), x_trace(trace) {}

  /// The state with everything that was written so far. References into it die with the next emit.
  const State& state() const { return x_state; }
  int64_t at_ms() const { return x_at_ms; }
  uint64_t trace() const { return x_trace; }

  void emit(std::string_view type, const Json& payload) {
    x_state.evolve({type, payload, x_at_ms});
    Command command;
    command.kind = Command::Kind::kEmit;
    command.name = type;
    command.json = payload.dump();
    command.trace = x_trace;
    x_commands.push_back(std::move(command));
  }

  /// An event that gives up an effect: nobody waits for its result any more. 0: there is none.
  void emit_withdrawing(std::string_view type, Json payload, uint64_t effect) {
    if (effect == 0) return emit(type, payload);
    payload["withdrawn"] = effect;
    emit(type, payload);
    withdraw(effect);
  }
  /// The effect alone; an event tells of it.
  void withdraw(uint64_t effect) {
    Command command;
    command.kind = Command::Kind::kWithdraw;
    command.effect = effect;
    x_commands.push_back(std::move(command));
  }

  void request(Request request) {
    request.definition["kind"] = request.kind;
    Command command;
    command.kind = Command::Kind::kRequest;
    command.task = std::move(request.task);
    command.effect_kind = std::move(request.kind);
    command.label = std::move(request.label);
    command.key = request.noun + ":" + request.id;
    command.args = request.inputs.dump();
    command.definition = request.definition.dump();
    if (!request.options.empty()) command.options = request.options.dump();
    command.due_ms = request.due_ms;
    command.trace = x_trace;
    x_commands.push_back(std::move(command));
  }

  /// Ends the run.
  void complete(const Json& output) {
    Command command;
    command.kind = Command::Kind::kComplete;
    command.json = output.dump();
    x_commands.push_back(std::move(command));
  }
  void halt_cancelled(std::string reason) {
    Command command;
    command.kind = Command::Kind::kHalt;
    command.cancelled = true;
    command.name = std::move(reason);
    x_commands.push_back(std::move(command));
  }

  /// What follows belongs to another story.
  void set_trace(uint64_t trace) { x_trace = trace; }

  std::vector<Command> take() { return std::move(x_commands); }

 private:
  State x_state;
  int64_t x_at_ms;
  uint64_t x_trace;
  std::vector<Command> x_commands;
};

}  // namespace reprise::kit
