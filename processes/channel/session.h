// The agent's own memory of the conversation: an id that an executor gave, and what it holds.
//
//   none       session.updated (a reply, a compaction)   -> open
//   open       session.updated                           -> open, perhaps by another id
//   open       session.closed (channel.close, too long idle, a compaction that took its place)
//                                                        -> none
//   a thread   begins with `fork_from`: its first run forks that session; both events clear it
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "processes/channel/event.h"
#include "processes/channel/signals.h"

namespace reprise::channel {

class Scribe;

struct Session {
  std::string id;         ///< empty: the next message begins a new one
  std::string fork_from;  ///< of a thread: the parent's session, until its first run
  uint64_t place = 0;     ///< the session holds what joined the conversation up to here
  int64_t active_at_ms = 0;

  void evolve(const Event& event);
  Json to_json() const;
  void restore(const Json& json);
  /// {id, forkFrom?, activeAt}; null when there is none.
  Json shown() const;
};

/// channel.close. Error SESSION_BUSY while a run uses the session.
std::span<const SignalSpec> session_signals();

/// Ends a session in which nothing happened for too long (sessions.autoCloseAfterMinutes).
void close_idle_session(Scribe& scribe);
/// Sees to it that the channel wakes up when its session has been idle for that long.
void watch_session(Scribe& scribe);

}  // namespace reprise::channel
