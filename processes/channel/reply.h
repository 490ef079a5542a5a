// The one agent run of a channel: from the claim of a message to its reply.
//
//   idle     message.claimed                        -> active
//   active   agent.status completed | error |       -> idle
//            stopped | timeout | spawned
//
// An active run has at most one effect open, and goes on with its result:
//
//   [a compaction of the session is open]  -> waits for it
//   context:r1   what is remembered        -> reply:r1
//   reply:r1     a result                  -> delivered: completed
//                too_long, the first time  -> compaction:c1 -> the next attempt, without a fork
//                another error, a session, -> the next attempt, with the prompt alone
//                nothing streamed
//                TimeoutError              -> timeout
//                any other error           -> error
//
// Later attempts are context:r1:2, reply:r1:2, ...
#pragma once

#include <cstdint>
#include <string>

#include "processes/channel/effects.h"
#include "processes/channel/event.h"
#include "processes/channel/queue.h"
#include "processes/channel/router.h"

namespace reprise::channel {

class Scribe;

struct Reply {
  uint64_t runs = 0;   ///< how many there have been: the next one is r<runs + 1>
  std::string run_id;  ///< of the active one; empty: idle
  std::string msg_id;  ///< its trigger
  MessagePtr message;  ///< the same, as it joined the conversation; nullptr: idle
  std::string mode;    ///< of the trigger: queue.h
  int64_t priority = 0;
  int64_t since_ms = 0;
  uint64_t trace = 0;      ///< where its story began
  int64_t attempt = 1;     ///< at the model
  bool alone = false;      ///< this attempt has the prompt alone
  bool compacted = false;  ///< there was a compaction because the prompt was too long
  Json first_error;        ///< of an attempt that was followed by another one; or null
  Json decision;           ///< the last channel.route.decided

  bool is_active() const { return !run_id.empty(); }

  /// `queue` as it was before the event, `transcript` with it.
  void evolve(const Event& event, const Queue& queue, const Transcript& transcript);
  Json to_json(RowsWriter& rows) const;
  void restore(const Json& json, const RowsReader& rows);
  /// {runId, msgId, mode, priority, since, attempt}; null when idle.
  Json shown() const;

 private:
  void begin(const Event& claimed, const Queue& queue, const Transcript& transcript);
};

/// The agent is asked.
void begin_reply(Scribe& scribe, const Queued& trigger, const Route& route);
/// A result of one of its effects (nouns "reply" and "context").
void resolve_reply(Scribe& scribe, const Result& result);
/// A compaction that the active run waited for is over. `failure`: why its prompt stays too long;
/// null when there is none.
void resume_reply(Scribe& scribe, const Json& failure);
/// Ends the active run, if there is one, or takes back the card that the channel is parked on; the
/// open effect is withdrawn. `state` is "stopped".
void stop_reply(Scribe& scribe, const std::string& state, const std::string& reason);

}  // namespace reprise::channel
