#include "processes/channel/router.h"

#include <algorithm>

#include "unicode/unicode.h"

namespace reprise::channel {

namespace {

using Words = std::vector<std::string>;

constexpr double kFullContext = 0.85;

bool stands_at(const Words& entry, bool is_stem, const Words& words, size_t at) {
  for (size_t i = 0; i < entry.size(); ++i) {
    const auto& word = words[at + i];
    const bool by_stem = is_stem && i + 1 == entry.size();
    if (by_stem ? !word.starts_with(entry[i]) : word != entry[i]) return false;
  }
  return true;
}

bool is_in(const std::string& text, const Words& words) {
  const auto entry = unicode::words(text);
  const bool is_stem = text.ends_with('*');
  for (size_t at = 0; !entry.empty() && at + entry.size() <= words.size(); ++at) {
    if (stands_at(entry, is_stem, words, at)) return true;
  }
  return false;
}

std::string first_in(const std::vector<std::string>& list, const Words& words) {
  const auto found = std::ranges::find_if(list, [&](const auto& it) { return is_in(it, words); });
  return found == list.end() ? "" : *found;
}

}  // namespace

std::vector<std::string> entries_in(const std::vector<std::string>& list, std::string_view text) {
  const auto words = unicode::words(text);
  std::vector<std::string> found;
  std::ranges::copy_if(list, std::back_inserter(found),
                       [&](const auto& entry) { return is_in(entry, words); });
  return found;
}

Route route(const Settings& settings, double utilization, std::string_view text,
            std::string_view mode) {
  if (settings.routing_policy == "direct") return {"respond", "direct_response", 0.9, 3500, {}};
  Route respond = {"respond", "direct_response", 0.75, 1000, {}};
  if (!mode.empty() || unicode::trimmed(text).empty()) return respond;
  if (utilization > kFullContext) {
    return {"spawn_branch", "context_over_85_percent", 0.92, 1500, {}};
  }
  const auto words = unicode::words(text);
  if (auto word = first_in(settings.worker_words, words); !word.empty()) {
    return {"spawn_worker", "matched_worker_intent", 0.86, 3500, std::move(word)};
  }
  if (auto word = first_in(settings.branch_words, words); !word.empty()) {
    return {"spawn_branch", "matched_branch_intent", 0.81, 2000, std::move(word)};
  }
  return respond;
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
