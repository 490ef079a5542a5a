// What is otherwise under newer rules, in words, for people who are about to give them to a run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace reprise {

/// One sentence for each change behind `from` and up to `to`, the oldest rules first.
std::vector<std::string> rule_changes(uint32_t from, uint32_t to);

}  // namespace reprise
