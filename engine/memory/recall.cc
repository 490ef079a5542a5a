// Every word of the query is looked up by itself, and bm25 says how much each memory has of it;
// with a vector of the query, those of the memories say how near they are; the best of those are
// followed over their links; what was found is put in order. A memory that another one supersedes
// is never an answer, but leads to the one that took its place.
#include "engine/memory/recall.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "engine/memory/vectors.h"

namespace reprise {

namespace {

/// How many of the best are followed over their links.
constexpr size_t kSeeds = 40;
/// Of a memory that holds the text of the query, but none of its words.
constexpr double kSubstringShare = 0.5;
/// What is less like the query does not answer it by that alone.
constexpr double kLeastLikeness = 0.3;
constexpr double kMillion = 1e6;

constexpr const char* kColumns =
    "m.id, m.run, m.note, m.summary, m.kind, m.class, m.scope_type, m.scope_id, m.source_type, "
    "m.source_id, m.importance, m.confidence, m.metadata, m.created_ms, m.updated_ms, "
    "m.accessed_ms, m.expires_ms, m.forgotten_ms";

Memory read_memory(const Statement& row, int32_t first = 0) {
  Memory memory;
  const auto text = [&](int32_t column) { return row.text(first + column); };
  memory.id = text(0);
  memory.run = text(1);
  memory.note = text(2);
  memory.summary = text(3);
  memory.kind = text(4);
  memory.cls = text(5);
  memory.scope = {text(6), text(7)};
  memory.source_type = text(8);
  memory.source_id = text(9);
  memory.importance = static_cast<double>(row.number(first + 10)) / kMillion;
  memory.confidence = static_cast<double>(row.number(first + 11)) / kMillion;
  memory.metadata = text(12);
  memory.created_ms = row.number(first + 13);
  memory.updated_ms = row.number(first + 14);
  memory.accessed_ms = row.number(first + 15);
  memory.expires_ms = row.number_if(first + 16);
  memory.forgotten_ms = row.number_if(first + 17);
  return memory;
}

/// Conditions on the row `m`, each with its texts; times are written out, they are numbers.
class Conditions {
 public:
  explicit Conditions(const MemoryFilter& filter) {
    if (!filter.all) {
      add("m.forgotten_ms IS NULL");
      add("(m.expires_ms IS NULL OR m.expires_ms > " + std::to_string(filter.now_ms) + ")");
    }
    std::string scopes;
    for (const auto& scope : filter.scopes) {
      scopes += (scopes.empty() ? "" : " OR ");
      scopes += "(m.scope_type = ? AND m.scope_id = ?)";
      x_texts.push_back(scope.type);
      x_texts.push_back(scope.id);
    }
    if (!scopes.empty()) add("(" + scopes + ")");
    add_words("m.kind", filter.kinds);
    add_words("m.class", filter.classes);
  }

  void add(const std::string& condition) { x_sql += " AND " + condition; }
  void add(const std::string& condition, const std::string& text) {
    add(condition);
    x_texts.push_back(text);
  }
  const std::string& sql() const { return x_sql; }
  /// Binds from parameter `first` on.
  void bind(Statement& statement, int32_t first) const {
    for (const auto& text : x_texts) statement.bind_one(first++, text);
  }

 private:
  void add_words(const std::string& column, const std::vector<std::string>& words) {
    if (words.empty()) return;
    std::string marks;
    for (const auto& word : words) {
      marks += marks.empty() ? "?" : ",?";
      x_texts.push_back(word);
    }
    add(column + " IN (" + marks + ")");
  }

  std::string x_sql;
  std::vector<std::string> x_texts;
};

/// Condition on a link `l`: it was not taken back. Of links that supersede in a circle the oldest
/// counts no more; so there are no circles, and behind each memory that is hidden is one that is
/// not.
constexpr const char* kCounts =
    "(l.relation <> 'supersedes' OR NOT EXISTS (WITH RECURSIVE newer(id) AS (SELECT l.to_id UNION "
    "SELECT s.to_id FROM newer JOIN memory_links s ON s.from_id = newer.id WHERE s.relation = "
    "'supersedes' AND (s.at_ms, s.run, s.seq) > (l.at_ms, l.run, l.seq)) SELECT 1 FROM newer WHERE "
    "id = l.from_id))";

/// Condition: no live memory supersedes `m`.
std::string not_superseded(int64_t now_ms) {
  return "NOT EXISTS (SELECT 1 FROM memory_links l JOIN memories n ON n.id = l.from_id WHERE "
         "l.to_id = m.id AND l.relation = 'supersedes' AND n.forgotten_ms IS NULL AND "
         "(n.expires_ms IS NULL OR n.expires_ms > " +
         std::to_string(now_ms) + ") AND " + kCounts + ")";
}

class MemorySearch {
 public:
  MemorySearch(Database& database, const MemoryFilter& filter)
      : x_database(database), x_filter(filter), x_conditions(filter) {}

  std::vector<Recalled> best(const std::string& text, uint64_t limit) {
    look_up_words(text);
    compare_vectors();
    if (x_found.empty()) look_for_substring(text);
    follow_links();
    return in_order(limit);
  }

 private:
  struct Found {
    Rank rank;
    ScoreParts parts;
    std::string through;
  };

  /// A word counts by bm25, which weighs rare words and short notes higher. 1 is a memory that is
  /// the best of all in every word that occurs.
  void look_up_words(const std::string& text) {
    auto statement = x_database.prepare(
        "SELECT m.id, m.created_ms, CAST(-bm25(memory_text) * 1e12 AS INTEGER) FROM memory_text "
        "JOIN memories m ON m.key = memory_text.rowid WHERE memory_text MATCH ?" +
        x_conditions.sql());
    double best = 0;
    for (const auto& word : query_words(text)) {
      double best_of_word = 0;
      statement.bind(match_of(word));
      for (x_conditions.bind(statement, 2); statement.next();) {
        const auto share = static_cast<double>(std::max<int64_t>(statement.number(2), 1));
        found(statement).parts.keyword += share;
        best_of_word = std::max(best_of_word, share);
      }
      best += best_of_word;
    }
    for (auto& [id, item] : x_found) item.parts.keyword = std::min(1.0, item.parts.keyword / best);
  }

  void compare_vectors() {
    if (x_filter.vector.empty()) return;
    auto statement = x_database.prepare(
        "SELECT m.id, m.created_ms, v.vector FROM memories m JOIN memory_vectors v ON v.id = m.id "
        "AND v.text_ms = m.updated_ms WHERE 1" +
        x_conditions.sql());
    for (x_conditions.bind(statement, 1); statement.next();) {
      const auto vector = statement.text(2);
      if (vector.size() != x_filter.vector.size()) continue;  // of another model
      const double share = likeness(x_filter.vector, vector);
      const bool is_found = x_found.contains(statement.text(0));
      if (is_found || share >= kLeastLikeness) found(statement).parts.semantic = share;
    }
  }

  /// For parts of words, and for languages that put no space between them.
  void look_for_substring(const std::string& text) {
    if (query_words(text).empty()) return;
    auto statement = x_database.prepare(
        "SELECT m.id, m.created_ms FROM memories m WHERE instr(lower(m.note || ' ' || m.summary), "
        "lower(?)) > 0" +
        x_conditions.sql());
    statement.bind(text);
    for (x_conditions.bind(statement, 2); statement.next();) {
      found(statement).parts.keyword = kSubstringShare;
    }
  }

  Found& found(const Statement& row) {
    auto& item = x_found[row.text(0)];
    item.rank.id = row.text(0);
    item.rank.created_ms = row.number(1);
    return item;
  }

  std::vector<Rank> seeds() const {
    std::vector<Rank> ranks;
    for (const auto& [id, item] : x_found) {
      ranks.push_back({direct_score(item.parts), item.rank.created_ms, id});
    }
    std::ranges::sort(ranks, ranks_before);
    if (ranks.size() > kSeeds) ranks.resize(kSeeds);
    return ranks;
  }

  /// Not over bulletins: each names a dozen memories that have nothing else in common.
  void follow_links() {
    auto other = x_database.prepare(
        "SELECT m.id, m.created_ms FROM memories m WHERE m.id = ? AND m.class <> 'bulletin'" +
        x_conditions.sql());
    auto bulletin =
        x_database.prepare("SELECT 1 FROM memories WHERE id = ? AND class = 'bulletin'");
    for (const auto& seed : seeds()) {
      if (bulletin.bind(seed.id).next()) continue;
      for (const auto& link : list_links(x_database, seed.id)) {
        const bool forward = link.from == seed.id;
        const double share = relation_share(link.relation, forward) * link.weight * seed.score;
        if (share <= 0) continue;
        other.bind(forward ? link.to : link.from);
        x_conditions.bind(other, 2);
        if (!other.next()) continue;
        auto& item = found(other);
        if (share <= item.parts.graph) continue;
        item.parts.graph = share;
        item.through = seed.id;
      }
    }
  }

  std::vector<Recalled> in_order(uint64_t limit) {
    auto row =
        x_database.prepare(std::string("SELECT ") + kColumns + " FROM memories m WHERE m.id = ?" +
                           (x_filter.all ? "" : " AND " + not_superseded(x_filter.now_ms)));
    std::vector<const Found*> ordered;
    for (auto& [id, item] : x_found) {
      item.rank.score = score_of(item.parts);
      ordered.push_back(&item);
    }
    std::ranges::sort(ordered, ranks_before, [](const Found* item) { return item->rank; });
    std::vector<Recalled> recalled;
    for (const auto* item : ordered) {
      if (recalled.size() == limit) break;
      if (!row.bind(item->rank.id).next()) continue;
      recalled.push_back({read_memory(row), item->parts, item->rank.score, item->through});
    }
    return recalled;
  }

  Database& x_database;
  const MemoryFilter& x_filter;
  Conditions x_conditions;
  std::unordered_map<std::string, Found> x_found;
};

}  // namespace

std::vector<Recalled> recall(Database& database, const std::string& text,
                             const MemoryFilter& filter, uint64_t limit) {
  return MemorySearch(database, filter).best(text, limit);
}

std::optional<Page<Memory>> list_memories(Database& database, const MemoryFilter& filter,
                                          const std::string& after, uint64_t limit) {
  Conditions conditions(filter);
  if (!filter.all) conditions.add(not_superseded(filter.now_ms));
  if (!after.empty()) {
    const auto last = find_memory(database, after);
    if (!last) return std::nullopt;
    const auto time = std::to_string(last->created_ms);
    conditions.add("(m.created_ms < " + time + " OR (m.created_ms = " + time + " AND m.id > ?))",
                   after);
  }
  const auto most = std::min<uint64_t>(limit, INT64_MAX - 1) + 1;
  auto row = database.prepare(std::string("SELECT ") + kColumns + " FROM memories m WHERE 1" +
                              conditions.sql() + " ORDER BY m.created_ms DESC, m.id LIMIT " +
                              std::to_string(most));
  conditions.bind(row, 1);
  Page<Memory> page;
  while (!page.more && row.next()) {
    page.more = page.rows.size() == limit;
    if (!page.more) page.rows.push_back(read_memory(row));
  }
  return page;
}

std::optional<Memory> find_memory(Database& database, const std::string& id) {
  auto row =
      database.prepare(std::string("SELECT ") + kColumns + " FROM memories m WHERE m.id = ?");
  if (!row.bind(id).next()) return std::nullopt;
  return read_memory(row);
}

std::string find_vector(Database& database, const std::string& id) {
  auto row = database.prepare(
      "SELECT v.vector FROM memories m JOIN memory_vectors v ON v.id = m.id AND v.text_ms = "
      "m.updated_ms WHERE m.id = ? ORDER BY v.at_ms DESC, v.run, v.seq LIMIT 1");
  return row.bind(id).next() ? row.text(0) : std::string();
}

std::vector<Memory> list_without_vector(Database& database, int64_t now_ms, uint64_t limit) {
  const MemoryFilter live{.scopes = {}, .kinds = {}, .classes = {}, .now_ms = now_ms};
  Conditions conditions(live);
  // Another model than before: vectors of two cannot be compared. Who does not name his is believed
  // to have kept it.
  std::string of_model;
  std::string model;
  auto newest = database.prepare(
      "SELECT length(vector), model FROM memory_vectors WHERE run = 'memory' ORDER BY seq DESC "
      "LIMIT 1");
  if (newest.next()) {
    of_model = " AND length(v.vector) = " + std::to_string(newest.number(0));
    model = newest.text(1);
  }
  if (!model.empty()) of_model += " AND v.model IN ('', ?)";
  const auto missing =
      "NOT EXISTS (SELECT 1 FROM memory_vectors v WHERE v.id = m.id AND v.text_ms = m.updated_ms" +
      of_model + ")";
  model.empty() ? conditions.add(missing) : conditions.add(missing, model);
  auto row = database.prepare(std::string("SELECT ") + kColumns + " FROM memories m WHERE 1" +
                              conditions.sql() + " ORDER BY m.updated_ms, m.id LIMIT " +
                              std::to_string(limit));
  std::vector<Memory> memories;
  for (conditions.bind(row, 1); row.next();) memories.push_back(read_memory(row));
  return memories;
}

std::vector<MemoryLink> list_links(Database& database, const std::string& id) {
  auto row = database.prepare(
      std::string("SELECT from_id, to_id, relation, weight, provenance, at_ms FROM memory_links l "
                  "WHERE ") +
      (id.empty() ? "" : "(from_id = ? OR to_id = ?) AND ") + kCounts +
      " ORDER BY at_ms, run, seq");
  if (!id.empty()) row.bind(id, id);
  std::map<std::tuple<std::string, std::string, std::string>, MemoryLink> last;
  while (row.next()) {
    MemoryLink link{row.text(0), row.text(1),
                    row.text(2), static_cast<double>(row.number(3)) / kMillion,
                    row.text(4), row.number(5)};
    last.insert_or_assign({link.from, link.to, link.relation}, link);
  }
  std::vector<MemoryLink> links;
  links.reserve(last.size());
  for (auto& [key, link] : last) links.push_back(std::move(link));
  return links;
}

std::string superseded_by(Database& database, const std::string& id, int64_t now_ms) {
  for (const auto& link : list_links(database, id)) {
    if (link.to != id || link.relation != "supersedes") continue;
    const auto newer = find_memory(database, link.from);
    if (newer && is_live(*newer, now_ms)) return newer->id;
  }
  return {};
}

}  // namespace reprise
