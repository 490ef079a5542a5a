// The pen of a decision: what is written is folded at once, so that the next thought sees it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/process/process.h"
#include "processes/channel/state.h"

namespace reprise::channel {

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

class Scribe {
 public:
  /// `trace`: seq of the record where the story began that is being continued.
  Scribe(const Channel& state, int64_t at_ms, uint64_t trace)
      : x_state(state), x_at_ms(at_ms), x_trace(trace) {}

  /// The state with everything that was written so far. References into it die with the next emit.
  const Channel& state() const { return x_state; }
  int64_t at_ms() const { return x_at_ms; }
  uint64_t trace() const { return x_trace; }

  void emit(std::string_view type, Json payload);
  /// An event that gives up an effect: nobody waits for its result any more. 0: there is none.
  void emit_withdrawing(std::string_view type, Json payload, uint64_t effect);
  void request(Request request);
  /// Ends the channel.
  void complete(Json output);
  void halt_cancelled(std::string reason);

  /// What follows belongs to another story.
  void set_trace(uint64_t trace) { x_trace = trace; }

  std::vector<Command> take() { return std::move(x_commands); }

 private:
  Channel x_state;
  int64_t x_at_ms;
  uint64_t x_trace;
  std::vector<Command> x_commands;
};

}  // namespace reprise::channel
