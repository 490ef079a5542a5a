// What happens with a message that was claimed: the agent answers, or a branch or a worker takes
// it. The first rule that fits decides; the rules are seed 000's and 001's (docs/channels.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "processes/channel/json.h"
#include "processes/channel/settings.h"

namespace reprise::channel {

struct Route {
  std::string action;  ///< "respond", "spawn_branch", "spawn_worker"
  std::string reason;  ///< "direct_response"
  double confidence = 0;
  int64_t token_budget = 0;
  std::string matched;  ///< the word of a list that was found; or empty
};

Route route(const Settings& settings, double utilization, std::string_view text);
Json to_json(const Route& route);
Route parse_route(const Json& json);

}  // namespace reprise::channel
