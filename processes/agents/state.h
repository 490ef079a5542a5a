// How the heartbeats of agents went: folded from the events of the process, and from nothing else.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "processes/kit/json.h"

namespace reprise::agents {

using kit::Json;
using kit::member_of;
using kit::number_of;
using kit::text_of;

/// One that was asked for and has not ended.
struct Beat {
  uint64_t number = 0;  ///< of the agent's heartbeats
  int64_t window = 0;
  int64_t since_ms = 0;
  std::string channel;
  bool skips = false;  ///< it was told that another window came meanwhile
};

struct Agent {
  std::string id;
  int64_t window = -1;  ///< the newest that was heard of
  uint64_t runs = 0;
  uint64_t ok = 0;
  uint64_t reported = 0;
  uint64_t failed = 0;
  uint64_t skipped = 0;
  uint64_t failures = 0;  ///< in a row
  int64_t last_run_ms = 0;
  int64_t last_success_ms = 0;
  int64_t last_failure_ms = 0;
  std::string last_result;
  std::string reason;  ///< of the last failure
  std::optional<Beat> beat;
};

class State {
 public:
  std::map<std::string, Agent> agents;
  std::map<uint64_t, std::string> open;  ///< requests by effect: their keys

  void evolve(std::string_view type, const Json& payload, int64_t at_ms);
  /// nullptr: it never had a heartbeat.
  const Agent* find(const std::string& id) const;

  Json to_json() const;
  bool restore(const Json& json);
};

Json to_json(const Agent& agent);

}  // namespace reprise::agents
