// What happens with a message that was claimed: the agent answers, or a branch or a worker takes
// it. The first rule that fits decides; the rules are seed 000's and 001's (docs/channels.md).
//
//   keyword  utilization > 0.85   spawn_branch  context_over_85_percent  0.92  1500
//            a worker word        spawn_worker  matched_worker_intent    0.86  3500
//            a branch word        spawn_branch  matched_branch_intent    0.81  2000
//            else                 respond       direct_response          0.75  1000
//   direct                        respond       direct_response          0.9   3500
//
// A message of mode "plan" and one without a text are always answered: a plan is made before
// anything is done, and there is nothing to hand on.
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

Route route(const Settings& settings, double utilization, std::string_view text,
            std::string_view mode);
Json to_json(const Route& route);
Route parse_route(const Json& json);

/// The entries of the list that are in the text, in the list's order. Whole words are compared,
/// case-folded and composed; an entry of some words is found where they stand in a row; one that
/// ends in * is found in every word that begins so.
std::vector<std::string> entries_in(const std::vector<std::string>& list, std::string_view text);

}  // namespace reprise::channel
