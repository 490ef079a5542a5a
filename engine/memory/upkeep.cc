// How alike two memories are is the score that each has as an answer to the other, without what
// links add: a link does not make two texts alike, and one that says "contradicts" least of all.
#include "engine/memory/upkeep.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/memory/recall.h"

namespace reprise {

namespace {

/// How many are compared in one go, and with how many others each.
constexpr size_t kMostExamined = 200;
constexpr uint64_t kCompared = 5;

bool is_kept(const Memory& memory) { return memory.kind == "identity" || memory.cls == "bulletin"; }

/// Those that a memory may be merged with; what it means counts as far as it has a vector.
MemoryFilter alike(Database& database, const Memory& memory, int64_t now_ms) {
  return {.scopes = {memory.scope},
          .kinds = {},
          .classes = {},
          .now_ms = now_ms,
          .all = false,
          .vector = find_vector(database, memory.id)};
}

/// How well a memory answers the words of the other, as far as it is among the best; else 0.
double answers(Database& database, const Memory& one, const Memory& other, int64_t now_ms) {
  for (const auto& found :
       recall(database, other.note, alike(database, other, now_ms), kCompared)) {
    if (found.memory.id == one.id) return direct_score(found.parts);
  }
  return 0;
}

class Merging {
 public:
  Merging(Database& database, const MergeRule& rule, int64_t now_ms)
      : x_database(database), x_rule(rule), x_now_ms(now_ms) {}

  /// The memory and one that says the same both ways.
  void look_at(const Memory& memory) {
    if (x_taken.contains(memory.id) || is_kept(memory)) return;
    const auto filter = alike(x_database, memory, x_now_ms);
    for (const auto& found : recall(x_database, memory.note, filter, kCompared)) {
      const auto& other = found.memory;
      if (other.id == memory.id || x_taken.contains(other.id) || is_kept(other)) continue;
      if (direct_score(found.parts) < x_rule.likeness) continue;
      if (answers(x_database, memory, other, x_now_ms) < x_rule.likeness) continue;
      if (memory.note.size() + other.note.size() + 3 > kLongestNoteBytes) continue;
      x_taken.insert({memory.id, other.id});
      const bool is_older = memory.created_ms <= other.created_ms;
      x_pairs.emplace_back(is_older ? memory : other, is_older ? other : memory);
      return;
    }
  }

  bool is_full() const { return x_pairs.size() >= x_rule.most; }
  std::vector<std::pair<Memory, Memory>> take() { return std::move(x_pairs); }

 private:
  Database& x_database;
  const MergeRule& x_rule;
  int64_t x_now_ms;
  std::set<std::string> x_taken;
  std::vector<std::pair<Memory, Memory>> x_pairs;
};

}  // namespace

std::vector<std::string> list_faded(Database& database, const PruneRule& rule, int64_t now_ms,
                                    uint64_t limit) {
  const auto before_ms = now_ms - rule.min_age_ms;
  auto row = database.prepare(
      "SELECT id, kind, class, importance, max(updated_ms, accessed_ms) AS used FROM memories "
      "WHERE forgotten_ms IS NULL AND (expires_ms IS NULL OR expires_ms > ?) AND created_ms <= ? "
      "AND max(updated_ms, accessed_ms) <= ? ORDER BY used, id");
  std::vector<std::string> faded;
  for (row.bind(now_ms, before_ms, before_ms); faded.size() < limit && row.next();) {
    Memory memory;
    memory.kind = row.text(1);
    memory.cls = row.text(2);
    memory.importance = static_cast<double>(row.number(3)) / 1e6;
    memory.updated_ms = row.number(4);
    if (is_kept(memory) || importance_at(memory, now_ms) >= rule.below) continue;
    faded.push_back(row.text(0));
  }
  return faded;
}

MergeSearch find_merges(Database& database, const MergeRule& rule, int64_t now_ms) {
  auto row = database.prepare(
      "SELECT id, created_ms FROM memories WHERE created_ms > ? AND created_ms <= ? ORDER BY "
      "created_ms, id");
  MergeSearch search{.pairs = {}, .examined_ms = rule.after_ms};
  Merging merging(database, rule, now_ms);
  size_t examined = 0;
  for (row.bind(rule.after_ms, now_ms - kDayMs); row.next(); ++examined) {
    // Memories of one moment are looked at together: the next search begins behind a time.
    const bool is_enough = examined >= kMostExamined || merging.is_full();
    if (is_enough && row.number(1) != search.examined_ms) break;
    search.examined_ms = row.number(1);
    const auto memory = find_memory(database, row.text(0));
    const bool counts = memory && is_live(*memory, now_ms) && !merging.is_full() &&
                        superseded_by(database, memory->id, now_ms).empty();
    if (counts) merging.look_at(*memory);
  }
  search.pairs = merging.take();
  return search;
}

std::string merged_memory(const Memory& one, const Memory& other) {
  const auto note = one.note == other.note ? one.note : one.note + " | " + other.note;
  return nlohmann::json{{"note", note},
                        {"kind", one.kind},
                        {"class", one.cls},
                        {"scope", {{"type", one.scope.type}, {"id", one.scope.id}}},
                        {"source", {{"type", "visor"}, {"id", "merge"}}},
                        {"importance", std::max(one.importance, other.importance)},
                        {"confidence", std::min(one.confidence, other.confidence)}}
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace reprise
