// A message that waits is in the queue alone. It joins when it is claimed, behind all that was said
// by then: so a prompt ends with what is to be answered, and carries nothing that still waits.
#include "processes/channel/transcript.h"

#include <algorithm>
#include <array>

#include "processes/channel/queue.h"
#include "processes/channel/rows.h"
#include "unicode/unicode.h"

namespace reprise::channel {

namespace {

constexpr std::array kFields = {"row", "msgId", "role", "kind", "author", "content"};

bool is_queued(const Json& received) {
  return flag_of(received, "triggered") && flag_of(received, "allowed") &&
         !received.contains("command");
}

bool stands_for(const std::optional<Summary>& summary, const Message& message) {
  return summary && message.place >= summary->from && message.place <= summary->to;
}

}  // namespace

MessagePtr parse_message(const Json& payload, uint64_t place) {
  auto message = std::make_shared<Message>();
  const auto& author = member_of(payload, "author");
  message->row = static_cast<uint64_t>(number_of(payload, "row"));
  message->place = place;
  message->msg_id = text_of(payload, "msgId");
  message->role = text_of(payload, "role", "user");
  message->kind = text_of(payload, "kind", "message");
  message->author_id = text_of(author, "id");
  message->author_name = text_of(author, "name");
  message->content = text_of(payload, "content");
  message->characters = unicode::count(message->content);
  auto rest = payload;
  for (const auto* field : kFields) rest.erase(field);
  if (!rest.empty()) message->rest = rest.dump();
  return message;
}

Json Message::payload() const {
  Json json = rest.empty() ? Json::object() : Json::parse(rest);
  json.update({{"row", row},
               {"msgId", msg_id},
               {"role", role},
               {"kind", kind},
               {"author", {{"id", author_id}, {"name", author_name}}},
               {"content", content}});
  return json;
}

MessagePtr Transcript::find(const std::string& msg_id) const {
  if (x_arrived != nullptr && x_arrived->msg_id == msg_id) return x_arrived;
  const auto found = std::find_if(messages.rbegin(), messages.rend(),
                                  [&](const auto& it) { return it->msg_id == msg_id; });
  return found == messages.rend() ? nullptr : *found;
}

std::vector<MessagePtr> Transcript::carried(size_t limit) const {
  std::vector<MessagePtr> found;
  for (auto it = messages.rbegin(); it != messages.rend() && found.size() < limit; ++it) {
    if ((*it)->kind == "message" && !stands_for(summary, **it)) found.push_back(*it);
  }
  std::ranges::reverse(found);
  return found;
}

void Transcript::evolve(const Event& event, const Settings& settings, const Queue& queue,
                        bool keeps_all) {
  if (event.type == "message.created") {
    create(event, keeps_all);
  } else if (event.type == "channel.message.received") {
    if (is_queued(event.payload)) take_out(static_cast<uint64_t>(number_of(event.payload, "row")));
  } else if (event.type == "message.claimed") {
    x_arrived.reset();
    const auto* queued = queue.find(text_of(event.payload, "msgId"));
    if (queued == nullptr) return;
    auto message = std::make_shared<Message>(*queued->message);
    message->place = ++joined;
    join(std::move(message));
  } else if (event.type == "compactor.summary.applied") {
    fold(event.payload, keeps_all);
  }
  while (!keeps_all && messages.size() > std::max<size_t>(settings.history_messages, 1)) {
    messages.pop_front();
  }
}

void Transcript::create(const Event& event, bool keeps_all) {
  x_arrived.reset();
  rows = static_cast<uint64_t>(number_of(event.payload, "row"));
  if (!keeps_all && text_of(event.payload, "kind", "message") != "message") return;
  join(parse_message(event.payload, ++joined));
}

void Transcript::join(MessagePtr message) {
  if (message->kind == "message") characters += message->characters;
  messages.push_back(std::move(message));
}

void Transcript::take_out(uint64_t row) {
  const auto found = std::find_if(messages.rbegin(), messages.rend(),
                                  [&](const auto& it) { return it->row == row; });
  if (found == messages.rend()) return;
  x_arrived = *found;
  characters -= x_arrived->characters;
  messages.erase(std::next(found).base());
}

void Transcript::fold(const Json& applied, bool keeps_all) {
  const auto& places = applied.at("places");
  summary = Summary{.text = text_of(applied, "summary"),
                    .characters = unicode::count(text_of(applied, "summary")),
                    .from = places.at(0),
                    .to = places.at(1)};
  if (keeps_all) return;
  std::erase_if(messages, [&](const auto& message) { return stands_for(summary, *message); });
}

Json Transcript::to_json(RowsWriter& rows_out) const {
  auto list = Json::array();
  for (const auto& message : messages) list.push_back(rows_out.keep(message));
  Json json = {{"rows", rows},
               {"joined", joined},
               {"characters", characters},
               {"messages", std::move(list)}};
  if (summary) {
    json["summary"] = {summary->text, summary->characters, summary->from, summary->to};
  }
  return json;
}

void Transcript::restore(const Json& json, const RowsReader& rows_in) {
  rows = json.at("rows");
  joined = json.at("joined");
  characters = json.at("characters");
  messages.clear();
  for (const auto& number : json.at("messages")) messages.push_back(rows_in.at(number));
  summary.reset();
  if (const auto& it = member_of(json, "summary"); it.is_array()) {
    summary = Summary{it.at(0), it.at(1), it.at(2), it.at(3)};
  }
  x_arrived.reset();
}

}  // namespace reprise::channel
