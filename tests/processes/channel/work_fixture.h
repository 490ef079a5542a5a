// What the tests of workers and branches share.
#pragma once

#include "tests/processes/channel/harness.h"

namespace reprise::channel {

/// A channel that recalls nothing: work is given out at once.
inline Json no_recall() { return {{"settings", {{"memory", {{"recall", false}}}}}}; }

inline Json worker_of(const TestChannel& channel, const std::string& id) {
  for (const auto& event : channel.ask({{"ask", "workers"}})) {
    if (event.at("workerId") == id) return event;
  }
  return {};
}

inline Json branch_of(const TestChannel& channel, const std::string& id) {
  for (const auto& event : channel.ask({{"ask", "branches"}})) {
    if (event.at("branchId") == id) return event;
  }
  return {};
}

/// The content of the channel's newest row.
inline std::string last_row(const TestChannel& channel) {
  const auto rows = channel.events("message.created");
  return rows.empty() ? "" : rows.back().payload.at("content").get<std::string>();
}

inline std::string code_of(const std::optional<Refusal>& refusal) {
  return refusal ? refusal->code : "";
}

/// The recall of that key finds nothing, or these memories.
inline void brief(TestChannel& channel, const std::string& key,
                  const Json& memories = Json::array()) {
  channel.resolve(channel.asked(key).effect, {{"memories", memories}, {"bulletin", nullptr}});
}

}  // namespace reprise::channel
