#include "processes/channel/queue.h"

#include <algorithm>

namespace reprise::channel {

const Queued* Queue::head(int64_t now_ms) const {
  const Queued* best = nullptr;
  for (const auto& queued : waiting) {
    if (queued.not_before_ms > now_ms) continue;
    if (best == nullptr || queued.priority > best->priority) best = &queued;
  }
  return best;
}

const Queued* Queue::find(const std::string& msg_id) const {
  const auto found = std::ranges::find_if(
      waiting, [&](const Queued& queued) { return queued.message->msg_id == msg_id; });
  return found == waiting.end() ? nullptr : &*found;
}

void Queue::evolve(const Event& event, const Transcript& transcript) {
  if (event.type == "channel.message.received") {
    if (!flag_of(event.payload, "triggered") || !flag_of(event.payload, "allowed")) return;
    auto message = transcript.find(text_of(event.payload, "msgId"));
    if (message == nullptr) return;
    waiting.push_back({.message = std::move(message),
                       .priority = number_of(event.payload, "priority"),
                       .not_before_ms = number_of(event.payload, "notBefore"),
                       .mode = text_of(event.payload, "mode"),
                       .role = text_of(event.payload, "role"),
                       .trace = static_cast<uint64_t>(number_of(event.payload, "signal"))});
  } else if (event.type == "message.claimed") {
    const auto id = text_of(event.payload, "msgId");
    waiting.remove_if([&](const Queued& queued) { return queued.message->msg_id == id; });
  }
}

Json Queue::to_json() const {
  auto list = Json::array();
  for (const auto& queued : waiting) {
    list.push_back({{"message", queued.message->json},
                    {"priority", queued.priority},
                    {"notBefore", queued.not_before_ms},
                    {"mode", queued.mode},
                    {"role", queued.role},
                    {"trace", queued.trace}});
  }
  return list;
}

void Queue::restore(const Json& json) {
  waiting.clear();
  for (const auto& entry : json) {
    waiting.push_back({.message = parse_message(entry.at("message")),
                       .priority = entry.at("priority"),
                       .not_before_ms = entry.at("notBefore"),
                       .mode = entry.at("mode"),
                       .role = entry.at("role"),
                       .trace = entry.at("trace")});
  }
}

}  // namespace reprise::channel
