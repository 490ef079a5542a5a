// The agent's own memory of the conversation: an id that an executor gave, and what it holds.
//
//   none  session.updated -> open      open  session.closed -> none      open  session.updated ->
//   open
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "processes/channel/event.h"
#include "processes/channel/signals.h"

namespace reprise::channel {

struct Session {
  std::string id;         ///< empty: the next message begins a new one
  std::string fork_from;  ///< of a thread: the parent's session, until its first run
  uint64_t row = 0;       ///< the session holds all rows up to this one
  int64_t active_at_ms = 0;

  void evolve(const Event& event);
  Json to_json() const;
  void restore(const Json& json);
};

/// channel.close.
std::span<const SignalSpec> session_signals();

}  // namespace reprise::channel
