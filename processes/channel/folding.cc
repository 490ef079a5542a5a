#include "processes/channel/folding.h"

#include <algorithm>
#include <limits>

#include "processes/channel/context.h"
#include "unicode/unicode.h"

namespace reprise::channel {

namespace {

/// Where folding begins.
uint64_t first_place(const std::vector<MessagePtr>& messages, const Channel& channel) {
  const auto& summary = channel.transcript.summary;
  if (messages.empty()) return summary ? summary->from : 0;
  const auto& first = *messages.front();
  const auto tokens = static_cast<int64_t>(first.characters / kCharactersOfToken);
  const bool stays = tokens <= channel.settings.keep_tokens;
  const auto place = stays ? first.place + 1 : first.place;
  return summary ? std::min(place, summary->from) : place;
}

/// How many at the end of the list stay.
size_t newest(const std::vector<MessagePtr>& messages, const Settings& settings) {
  size_t kept = 0;
  uint64_t characters = 0;
  for (auto it = messages.rbegin(); it != messages.rend(); ++it) {
    characters += (*it)->characters;
    const auto tokens = static_cast<int64_t>(characters / kCharactersOfToken);
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
  const auto first = first_place(messages, channel);
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

std::vector<MessagePtr> shortened(const std::vector<MessagePtr>& messages, const Channel& channel) {
  const auto most = static_cast<uint64_t>(context_window(channel));  // a quarter of 4 a token
  auto list = messages;
  for (auto& message : list) {
    if (message->characters <= most) continue;
    auto shorter = std::make_shared<Message>(*message);
    shorter->content = std::string(unicode::first(message->content, most)) + "\n[" +
                       std::to_string(message->characters - most) + " characters left out]";
    message = std::move(shorter);
  }
  return list;
}

}  // namespace reprise::channel
