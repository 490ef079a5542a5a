#include "processes/kit/effects.h"

namespace reprise::kit {

Owner parse_owner(std::string_view key) {
  const auto colon = key.find(':');
  if (colon == std::string_view::npos) return {std::string(key), {}, 0};
  return {std::string(key.substr(0, colon)), std::string(key.substr(colon + 1)), 0};
}

std::optional<Owner> Effects::take(uint64_t effect) {
  const auto found = x_open.find(effect);
  if (found == x_open.end()) return std::nullopt;
  auto owner = std::move(found->second);
  x_open.erase(found);
  return owner;
}

uint64_t Effects::find(std::string_view noun, std::string_view id) const {
  for (const auto& [effect, owner] : x_open) {
    if (owner.noun == noun && owner.id == id) return effect;
  }
  return 0;
}

Json Effects::to_json() const {
  auto list = Json::array();
  for (const auto& [effect, owner] : x_open) {
    list.push_back({effect, owner.noun + ":" + owner.id, owner.trace});
  }
  return list;
}

void Effects::restore(const Json& json) {
  x_open.clear();
  for (const auto& entry : json) {
    auto owner = parse_owner(entry.at(1).get<std::string>());
    owner.trace = entry.at(2);
    add(entry.at(0), std::move(owner));
  }
}

Json work_options(int64_t timeout_ms) {
  return {{"timeoutMs", timeout_ms}, {"timeoutFrom", "claim"}, {"outputSchema", true}};
}

}  // namespace reprise::kit
