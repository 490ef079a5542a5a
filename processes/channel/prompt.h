// What the agent is given: the conversation up to its trigger, as text and as a list.
//
//   [channel_context_v1]
//   Use the conversation context below to answer the latest user request.
//
//   ## Memory Context             the bulletin, when there is one
//   ## Memories                   what was recalled, when there is something
//   [system] [assistant] [user]   each message, oldest first; the last one is the trigger
//
// Without a session: the newest messages (historyMessages), with the summary of those that were
// folded. With one: what joined the conversation since its last turn, but for what the agent wrote.
// Messages that wait are in no prompt but their own.
#pragma once

#include <string>
#include <vector>

#include "processes/channel/state.h"

namespace reprise::channel {

struct Prompt {
  std::string text;
  Json messages;  ///< [{"role","author"?,"content"}]
};

/// The session that the next attempt uses: the channel's, or the one that is forked; or empty.
std::string used_session(const Channel& channel);

/// For the active run. `context`: the answer of the recall, or null.
Prompt make_prompt(const Channel& channel, const Json& context);
/// The trigger alone, for a session that failed with the rest.
Prompt make_lone_prompt(const Channel& channel);

/// Messages as both forms of a prompt show them, with the summary at its place when there is one.
Prompt make_conversation(const std::vector<MessagePtr>& messages,
                         const std::optional<Summary>& summary);

}  // namespace reprise::channel
