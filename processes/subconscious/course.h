// The course of a tick: it is opened, evaluated, carried out, completed; it fails, or the next one
// takes over.
#pragma once

#include "processes/subconscious/state.h"

namespace reprise::subconscious {

/// The signal heartbeat.tick; `seq` is that of its record, which names the tick.
void open_tick(Pen& pen, const Json& signal, uint64_t seq);

/// Requests with their attempt: the first time, and after a pause.
void request_evaluation(Pen& pen, int attempt);

/// The evaluation's result.
void resolve_evaluation(Pen& pen, const kit::Result& result);

/// A rate limit: a pause, then the request `noun`:`id` again. False when it was tried enough.
bool try_again(Pen& pen, const kit::Result& result, std::string_view noun,
               const std::string& id_without_attempt, int attempt);

/// An error that comes again until a person changes something: the loop pauses with its reason.
void pause_if_permanent(Pen& pen, const kit::Result& result, const std::string& reason);

/// What became of a task in the open tick: the event heartbeat.entry. `advances`: its schedule goes
/// on, and what is to be done once and was acted on is completed.
struct Outcome {
  const char* state;
  std::string text;
  bool advances = false;
};
void write_entry(Pen& pen, const Task& task, const Outcome& outcome, uint64_t withdrawn = 0);

/// Completes the open tick when nothing of it is in progress any more.
void settle(Pen& pen);

}  // namespace reprise::subconscious
