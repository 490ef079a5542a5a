// Questions about memories, on tables that are up to date (RunIndex::ask).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/index/database.h"
#include "engine/index/queries.h"
#include "engine/memory/entry.h"
#include "engine/memory/score.h"

namespace reprise {

/// Which memories; an empty list: any.
struct MemoryFilter {
  std::vector<Scope> scopes;
  std::vector<std::string> kinds;
  std::vector<std::string> classes;
  int64_t now_ms = 0;
  bool all = false;         ///< also those that are forgotten, expired or superseded
  std::string vector = {};  ///< of the query, packed (engine/memory/vectors.h); empty: none
};

struct Recalled {
  Memory memory;
  ScoreParts parts;
  double score = 0;
  std::string through;  ///< id of the memory whose link gave the graph's part; or empty
};

constexpr uint64_t kDefaultRecalled = 8;
constexpr uint64_t kMostRecalled = 100;

/// The best memories for a text, the best first; those that have nothing of it are left out.
/// Filters apply before anything is ranked. Whatever the text holds, it is no syntax.
std::vector<Recalled> recall(Database& database, const std::string& text,
                             const MemoryFilter& filter, uint64_t limit);

/// The newest first, behind the memory `after` (empty: from the first). nullopt when there is no
/// such memory.
std::optional<Page<Memory>> list_memories(Database& database, const MemoryFilter& filter,
                                          const std::string& after, uint64_t limit);
std::optional<Memory> find_memory(Database& database, const std::string& id);

struct MemoryLink {
  std::string from;
  std::string to;
  std::string relation;
  double weight = 1;
  std::string provenance;
  int64_t at_ms = 0;
};
/// The vector of the text that a memory has now; empty: there is none.
std::string find_vector(Database& database, const std::string& id);
/// Live memories without one of the model that made the newest (the same name and length), those
/// that wait for the longest time first.
std::vector<Memory> list_without_vector(Database& database, int64_t now_ms, uint64_t limit);

/// From and to a memory, each pair and relation once, as it was linked last; of all memories for
/// an empty id. By from, to, relation. Without those that supersede and were taken back by newer
/// ones that do so the other way round.
std::vector<MemoryLink> list_links(Database& database, const std::string& id = {});
/// The live memory that took its place; empty: none.
std::string superseded_by(Database& database, const std::string& id, int64_t now_ms);

}  // namespace reprise
