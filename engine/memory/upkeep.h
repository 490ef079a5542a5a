// What the upkeep of a home's memories finds: what has faded, and what says the same twice.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/index/database.h"
#include "engine/memory/entry.h"

namespace reprise {

struct PruneRule {
  double below = 0.1;      ///< importance, as it is now
  int64_t min_age_ms = 0;  ///< since the last change or recall
};
/// Ids of live memories that may be forgotten, those without any use for the longest time first.
/// Identities and bulletins never are.
std::vector<std::string> list_faded(Database& database, const PruneRule& rule, int64_t now_ms,
                                    uint64_t limit);

struct MergeRule {
  double likeness = 0.8;  ///< from which on; 1 is the same text
  uint64_t most = 10;     ///< pairs
  int64_t after_ms = 0;   ///< memories made until then were looked at before
};
struct MergeSearch {
  std::vector<std::pair<Memory, Memory>> pairs;  ///< the older first; no memory is in two of them
  int64_t examined_ms = 0;  ///< up to which time of creation memories were looked at
};
/// Looks at memories that are older than a day, for others of the same scope that say the same.
/// What is superseded, identities and bulletins are left alone.
MergeSearch find_merges(Database& database, const MergeRule& rule, int64_t now_ms);

/// The memory that takes the place of two, as a memory.saved without its id.
std::string merged_memory(const Memory& one, const Memory& other);

}  // namespace reprise
