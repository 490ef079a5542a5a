// The one agent run of a channel: from the claim of a message to its reply.
//
//   idle     message.claimed                       -> active
//   active   agent.status completed | error |      -> idle
//            stopped | timeout | spawned
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
  uint64_t runs = 0;    ///< how many there have been: the next one is r<runs + 1>
  std::string run_id;   ///< of the active one; empty: idle
  std::string msg_id;   ///< its trigger
  std::string trigger;  ///< what that said
  int64_t priority = 0;
  int64_t since_ms = 0;
  Json decision;  ///< the last channel.route.decided

  bool is_active() const { return !run_id.empty(); }

  void evolve(const Event& event);
  Json to_json() const;
  void restore(const Json& json);
};

/// The agent is asked.
void begin_reply(Scribe& scribe, const Queued& trigger, const Route& route);
/// A result of one of its effects (nouns "reply" and "context").
void resolve_reply(Scribe& scribe, const Result& result);
/// Ends the active run, if there is one; its effect is withdrawn. `state` is "stopped" or
/// "timeout".
void stop_reply(Scribe& scribe, const std::string& state, const std::string& reason);

}  // namespace reprise::channel
