#include "engine/rule_changes.h"

#include <array>
#include <string_view>

namespace reprise {

namespace {

struct RuleChange {
  uint32_t rules;
  std::string_view what;  ///< a sentence without its full stop
};

/// Whoever writes `rules >= N` says here what a process observes by it.
constexpr std::array<RuleChange, 0> kRuleChanges{};

}  // namespace

std::vector<std::string> rule_changes(uint32_t from, uint32_t to) {
  std::vector<std::string> changes;
  for (const auto& change : kRuleChanges) {
    if (change.rules > from && change.rules <= to) changes.emplace_back(change.what);
  }
  return changes;
}

}  // namespace reprise
