#include "processes/channel/folding.h"

#include <algorithm>
#include <limits>

namespace reprise::channel {

namespace {

/// How many at the end of the list stay.
size_t newest(const std::vector<MessagePtr>& messages, const Settings& settings) {
  size_t kept = 0;
  uint64_t characters = 0;
  for (auto it = messages.rbegin(); it != messages.rend(); ++it) {
    characters += (*it)->characters;
    const auto tokens = static_cast<int64_t>(characters / 4);
    if (kept > 0 && (kept >= settings.keep_messages || tokens > settings.keep_tokens)) break;
    ++kept;
  }
  return kept;
}

}  // namespace

Folding choose_folding(const Channel& channel) {
  const auto& transcript = channel.transcript;
  const auto& reply = channel.reply;
  auto messages = transcript.carried(channel.settings.history_messages);
  const auto first = transcript.summary ? transcript.summary->from
                     : messages.empty() ? 0
                                        : messages.front()->place + 1;
  const auto behind =
      reply.is_active() ? reply.message->place : std::numeric_limits<uint64_t>::max();
  const auto kept = newest(messages, channel.settings);
  messages.resize(messages.size() - kept);
  std::erase_if(messages, [&](const MessagePtr& message) {
    return message->place < first || message->place >= behind;
  });
  if (messages.empty() && transcript.summary) {
    return {.messages = {}, .from = transcript.summary->from, .to = transcript.summary->to};
  }
  if (messages.empty()) return {};
  const auto to = messages.back()->place;
  return {.messages = std::move(messages), .from = first, .to = to};
}

}  // namespace reprise::channel
