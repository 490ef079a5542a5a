// An effect of a channel as a task that executors know, and what they answer as its result
// (docs/channel-effects.md). The executors themselves know nothing of channels.
#pragma once

#include <string>
#include <string_view>

#include "engine/executors/executor.h"
#include "engine/executors/json_fields.h"
#include "engine/executors/turn_reader.h"

namespace reprise {

/// How the effects of one kind are answered.
struct TurnKind;
/// nullptr when it is no channel's effect: its outputSchema is that of its kind's results
/// ("reprise:model-result"), or its inputs name the channel ("channelId").
const TurnKind* find_turn_kind(const Work& work);

class Turn {
 public:
  /// What is given must outlive this. Error INVALID_EXECUTOR when its preset is none.
  Turn(const TurnKind& kind, const Work& work, const ExecutorConfig& executor,
       const WorkEvents& events);
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  /// To be performed by the executor, with these events: what it writes is reported as turns
  /// while it comes, at most one a second.
  const Work& work() const { return x_asked; }
  const WorkEvents& events() const { return x_told; }

  /// What came of it, as the effect's result. An error that says that the prompt was too long has
  /// the name "too_long", whatever the executor calls it; what was reported by then is in its data.
  Outcome result(Outcome outcome);

 private:
  void ask_command();
  void ask_model();
  void tell_output(std::string_view bytes);
  void tell_progress(std::string_view json);
  void report(const OrderedJson& turn);
  OrderedJson read_answer(const Outcome& outcome) const;
  OrderedJson said(const std::string& text) const;
  void complete(OrderedJson& result, const OrderedJson& metadata);
  void add_turns(OrderedJson& result);
  void add_plan(OrderedJson& result) const;
  void fail(Outcome& outcome);

  const TurnKind& x_kind;
  const WorkEvents& x_events;
  const std::string& x_type;  ///< of the executor
  OrderedJson x_settings;     ///< of the executor, completed by its preset
  OrderedJson x_inputs;
  Work x_asked;
  WorkEvents x_told;
  TurnReader x_reader;
  std::string x_text;        ///< what a model wrote so far
  int64_t x_told_at_ms = 0;  ///< the last turn that was reported; 0: none was
};

}  // namespace reprise
