// Messages that wait for the agent: by priority, then in the order in which they came.
//
//   message.created + channel.message.received (triggered, allowed)   -> queued
//   queued   message.claimed                                           -> running (reply.h)
//   queued   message.deleted                                           -> gone
//   queued   queue.reordered, message.delayed                          -> queued, elsewhere
#pragma once

#include <cstdint>
#include <list>
#include <string>

#include "processes/channel/event.h"
#include "processes/channel/transcript.h"

namespace reprise::channel {

struct Queued {
  MessagePtr message;
  int64_t priority = 0;
  int64_t not_before_ms = 0;  ///< 0: at once
  std::string mode;           ///< "" or "plan"
  std::string role;           ///< of its author, as decided when it came: "owner" or "member"
  uint64_t trace = 0;         ///< seq of the signal that brought it
};

struct Queue {
  std::list<Queued> waiting;  ///< in the order of rows

  /// The one to be claimed next: highest priority, lowest row, of those whose time has come.
  const Queued* head(int64_t now_ms) const;
  const Queued* find(const std::string& msg_id) const;

  void evolve(const Event& event, const Transcript& transcript);
  Json to_json() const;
  void restore(const Json& json);
};

}  // namespace reprise::channel
