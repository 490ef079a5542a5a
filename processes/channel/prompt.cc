#include "processes/channel/prompt.h"

namespace reprise::channel {

Prompt make_prompt(const Channel& channel, const Queued& trigger, const Json&) {
  Prompt prompt{.text = "[channel_context_v1]\n", .messages = Json::array()};
  for (const auto& message : channel.transcript.messages) {
    if (message->row > trigger.message->row) continue;
    prompt.text += "[" + message->role + "]\n" + message->content + "\n\n";
    prompt.messages.push_back({{"role", message->role}, {"content", message->content}});
  }
  return prompt;
}

}  // namespace reprise::channel
