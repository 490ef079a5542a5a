// The conversation: the rows that a prompt may carry, in the order in which they joined it. The
// journal keeps all rows.
//
//   message.created of kind message      -> joins
//   channel.message.received, queued     -> leaves again: it waits in the queue, in no prompt
//   message.claimed                      -> joins: it is what the agent answers now
//   compactor.summary.applied            -> those that the summary stands for leave
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "processes/channel/event.h"
#include "processes/channel/settings.h"

namespace reprise::channel {

struct Queue;
class RowsReader;
class RowsWriter;

/// One row, as message.created has it.
struct Message {
  uint64_t row = 0;    ///< running number of all rows
  uint64_t place = 0;  ///< running number of those that joined the conversation
  std::string msg_id;
  std::string role;  ///< "user", "assistant", "system"
  std::string kind;  ///< "message", "thinking", "tool_use", "tool_result", "compacting"
  std::string author_id;
  std::string author_name;
  std::string content;
  size_t characters = 0;  ///< code points of the content
  std::string rest;       ///< the event's other members, a JSON object: only passed on

  /// The payload of message.created.
  Json payload() const;
};
using MessagePtr = std::shared_ptr<const Message>;
MessagePtr parse_message(const Json& payload, uint64_t place = 0);

/// What stands in prompts for the messages that joined from `from` to `to`.
struct Summary {
  std::string text;
  size_t characters = 0;
  uint64_t from = 0;
  uint64_t to = 0;
};

struct Transcript {
  uint64_t rows = 0;                ///< how many there have been: the next one is rows + 1
  uint64_t joined = 0;              ///< the place of the last that joined
  uint64_t characters = 0;          ///< of all that joined and stayed
  std::deque<MessagePtr> messages;  ///< the newest, oldest first
  std::optional<Summary> summary;

  /// Among the messages, and the one that just arrived.
  MessagePtr find(const std::string& msg_id) const;
  /// Those that a prompt may carry, besides the summary, which stands behind the ones before it.
  std::vector<MessagePtr> carried(size_t limit) const;

  /// `queue` as it was before the event. `keeps_all`: nothing is forgotten, whatever its kind.
  void evolve(const Event& event, const Settings& settings, const Queue& queue, bool keeps_all);
  Json to_json(RowsWriter& rows) const;
  void restore(const Json& json, const RowsReader& rows);

 private:
  void create(const Event& event, bool keeps_all);
  void join(MessagePtr message);
  void take_out(uint64_t row);
  void fold(const Json& applied, bool keeps_all);

  MessagePtr x_arrived;  ///< on its way to the queue; gone with the next row, in no snapshot
};

}  // namespace reprise::channel
