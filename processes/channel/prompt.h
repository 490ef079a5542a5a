// What the agent is given: the messages that a prompt carries, as text and as a list.
#pragma once

#include <string>

#include "processes/channel/queue.h"
#include "processes/channel/state.h"

namespace reprise::channel {

struct Prompt {
  std::string text;
  Json messages;  ///< [{"role","author"?,"content"}]
};

/// Without a session the newest messages up to the trigger; with one those that it does not hold.
/// `context`: the answer of the recall, or null.
Prompt make_prompt(const Channel& channel, const Queued& trigger, const Json& context);

}  // namespace reprise::channel
