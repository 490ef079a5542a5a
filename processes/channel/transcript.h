// The rows of the channel that a prompt may carry. The journal keeps all of them.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "processes/channel/event.h"
#include "processes/channel/settings.h"

namespace reprise::channel {

/// One row, as message.created has it.
struct Message {
  uint64_t row = 0;  ///< running number: the order of the channel
  std::string msg_id;
  std::string role;  ///< "user", "assistant", "system"
  std::string kind;  ///< "message", "thinking", "tool_use", "tool_result", "compacting"
  std::string author_id;
  std::string author_name;
  std::string content;
  size_t characters = 0;  ///< code points of the content
  Json json;              ///< the event's payload, all of it
};
using MessagePtr = std::shared_ptr<const Message>;
MessagePtr parse_message(const Json& payload);

struct Transcript {
  uint64_t rows = 0;                ///< how many there have been: the next one is rows + 1
  std::deque<MessagePtr> messages;  ///< the newest, oldest first

  MessagePtr find(const std::string& msg_id) const;

  void evolve(const Event& event, const Settings& settings);
  Json to_json() const;
  void restore(const Json& json);
};

}  // namespace reprise::channel
