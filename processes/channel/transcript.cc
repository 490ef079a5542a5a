#include "processes/channel/transcript.h"

#include <algorithm>

#include "unicode/unicode.h"

namespace reprise::channel {

MessagePtr parse_message(const Json& payload) {
  auto message = std::make_shared<Message>();
  const auto& author = member_of(payload, "author");
  message->row = static_cast<uint64_t>(number_of(payload, "row"));
  message->msg_id = text_of(payload, "msgId");
  message->role = text_of(payload, "role", "user");
  message->kind = text_of(payload, "kind", "message");
  message->author_id = text_of(author, "id");
  message->author_name = text_of(author, "name");
  message->content = text_of(payload, "content");
  message->characters = unicode::count(message->content);
  message->json = payload;
  return message;
}

MessagePtr Transcript::find(const std::string& msg_id) const {
  const auto found = std::find_if(messages.rbegin(), messages.rend(),
                                  [&](const auto& it) { return it->msg_id == msg_id; });
  return found == messages.rend() ? nullptr : *found;
}

void Transcript::evolve(const Event& event, const Settings& settings) {
  if (event.type != "message.created") return;
  messages.push_back(parse_message(event.payload));
  rows = messages.back()->row;
  while (messages.size() > settings.history_messages) messages.pop_front();
}

Json Transcript::to_json() const {
  auto list = Json::array();
  for (const auto& message : messages) list.push_back(message->json);
  return {{"rows", rows}, {"messages", std::move(list)}};
}

void Transcript::restore(const Json& json) {
  rows = json.at("rows");
  messages.clear();
  for (const auto& message : json.at("messages")) messages.push_back(parse_message(message));
}

}  // namespace reprise::channel
