#include "processes/channel/router.h"

namespace reprise::channel {

Route route(const Settings&, double, std::string_view) {
  return {"respond", "direct_response", 0.75, 1000, {}};
}

Json to_json(const Route& route) {
  Json json = {{"action", route.action},
               {"reason", route.reason},
               {"confidence", route.confidence},
               {"tokenBudget", route.token_budget}};
  if (!route.matched.empty()) json["matched"] = route.matched;
  return json;
}

Route parse_route(const Json& json) {
  return {text_of(json, "action"), text_of(json, "reason"), real_of(json, "confidence"),
          number_of(json, "tokenBudget"), text_of(json, "matched")};
}

}  // namespace reprise::channel
