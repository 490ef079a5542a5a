// Messages that wait for the agent: by priority, then in the order in which they came.
//
//   channel.message.received, triggered and allowed, no command   -> queued
//   queued   message.claimed                                      -> running (reply.h)
//   queued   message.deleted                                      -> gone
//   queued   queue.reordered, message.delayed                     -> queued, elsewhere
//   any      messages.processed                                   -> processed
//
// One whose time has not come has a sleep, "delay:<row>", that the engine ends.
#pragma once

#include <cstdint>
#include <deque>
#include <list>
#include <string>
#include <vector>

#include "processes/channel/event.h"
#include "processes/channel/transcript.h"

namespace reprise::channel {

class Scribe;

struct Queued {
  MessagePtr message;
  int64_t priority = 0;
  int64_t not_before_ms = 0;  ///< 0: at once
  std::string mode;           ///< "", "plan", or "card": it answers a card (parking.h)
  std::string role;           ///< of its author, as decided when it came: "owner" or "member"
  uint64_t trace = 0;         ///< seq of the signal that brought it
};

/// What became of a message that came in.
struct Fate {
  std::string msg_id;
  uint64_t row = 0;
  bool queued = false;   ///< it was, once: else it is context, or a command
  std::string reason;    ///< why it never was: "untriggered", "not_permitted"
  std::string run_id;    ///< that claimed it
  std::string cause;     ///< of messages.processed; empty: it is not processed
  std::string decision;  ///< channel.route.decided, as JSON: there are many, and few are asked for
};

struct Queue {
  std::list<Queued> waiting;     ///< in the order of rows
  std::deque<Fate> fates;        ///< of the newest messages, oldest first
  int64_t claimed_priority = 0;  ///< of the message that was claimed last

  /// The one to be claimed next: highest priority, lowest row, of those whose time has come.
  const Queued* head(int64_t now_ms) const;
  const Queued* find(const std::string& msg_id) const;
  /// nullptr when it is not known, or forgotten.
  const Fate* fate(const std::string& msg_id) const;
  /// Those whose time has come in the order of their claims, then the others by their times.
  std::vector<const Queued*> in_order(int64_t now_ms) const;

  void evolve(const Event& event, const Transcript& transcript, bool keeps_all);
  Json to_json(RowsWriter& rows) const;
  void restore(const Json& json, const RowsReader& rows);

 private:
  Fate* fate(const Json& msg_id);
  void receive(const Event& event, const Transcript& transcript, bool keeps_all);
  void remove(const Json& msg_ids);
};

Json to_json(const Fate& fate);

/// Emits messages.processed for the message and the untriggered ones before it, which the agent
/// has seen with it; nothing when it is processed already. Causes: docs/channel-protocol.md.
void mark_processed(Scribe& scribe, const std::string& msg_id, const std::string& cause);

}  // namespace reprise::channel
