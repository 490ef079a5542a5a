#include "engine/memory/memory_writer.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/memory/entry.h"
#include "engine/memory/vectors.h"
#include "engine/text.h"
#include "journal/error.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

/// SQLite's numbers here are whole.
int64_t millionths(double share) { return std::llround(share * 1e6); }

/// The memories that an event is about.
std::vector<std::string> ids_of(const Json& payload) {
  std::vector<std::string> ids;
  if (const auto id = text_of(payload, "memoryId"); !id.empty()) ids.push_back(id);
  const auto results = payload.find("memoryIds");
  if (results == payload.end() || !results->is_array()) return ids;
  for (const auto& id : *results) {
    if (id.is_string()) ids.push_back(id.get<std::string>());
  }
  return ids;
}

}  // namespace

bool is_memory_event(std::string_view type) { return type.starts_with("memory."); }

MemoryWriter::MemoryWriter(Database& database)
    : x_put_fact(database.prepare("INSERT OR REPLACE INTO memory_facts VALUES (?,?,?,?,?,?)")),
      x_old_facts(database.prepare("SELECT id FROM memory_facts WHERE run = ? AND seq = ?")),
      x_drop_facts(database.prepare("DELETE FROM memory_facts WHERE run = ? AND seq = ?")),
      x_put_link(database.prepare("INSERT OR REPLACE INTO memory_links VALUES (?,?,?,?,?,?,?,?)")),
      x_drop_link(database.prepare("DELETE FROM memory_links WHERE run = ? AND seq = ?")),
      x_put_vector(
          database.prepare("INSERT OR REPLACE INTO memory_vectors VALUES (?,?,?,?,?,?,?)")),
      x_drop_vector(database.prepare("DELETE FROM memory_vectors WHERE run = ? AND seq = ?")),
      x_put_recall(database.prepare("INSERT OR REPLACE INTO memory_recalls VALUES (?,?,?,?)")),
      x_old_recalls(database.prepare("SELECT DISTINCT id FROM memory_recalls WHERE run = ?")),
      x_drop_recalls(database.prepare("DELETE FROM memory_recalls WHERE run = ?")),
      x_facts(database.prepare("SELECT run, type, at_ms, payload FROM memory_facts WHERE id = ? "
                               "AND type <> 'memory.recalled' ORDER BY at_ms, run, seq")),
      x_accessed(database.prepare(
          "SELECT max(coalesce((SELECT max(at_ms) FROM memory_facts WHERE id = ?1 AND type = "
          "'memory.recalled'), 0), coalesce((SELECT max(at_ms) FROM memory_recalls WHERE id = ?1), "
          "0))")),
      x_put_accessed(database.prepare("UPDATE memories SET accessed_ms = ? WHERE id = ?")),
      x_key(database.prepare("SELECT key FROM memories WHERE id = ?")),
      x_put(database.prepare("INSERT OR REPLACE INTO memories VALUES "
                             "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)")),
      x_drop(database.prepare("DELETE FROM memories WHERE key = ?")),
      x_put_text(database.prepare("INSERT INTO memory_text(rowid, note, summary) VALUES (?,?,?)")),
      x_drop_text(database.prepare("DELETE FROM memory_text WHERE rowid = ?")) {}

void MemoryWriter::add(const std::string& run, uint64_t seq, int64_t at_ms, const std::string& type,
                       std::string_view payload) {
  if (type == "memory.linked") return add_link(run, seq, at_ms, payload);
  if (type == "memory.embedded") return add_vector(run, seq, at_ms, payload);
  const auto parsed = Json::parse(payload, nullptr, false);
  if (!parsed.is_object()) return;
  const bool recalled = type == "memory.recalled";
  for (const auto& named : ids_of(parsed)) {
    const auto id = global_memory_id(run, named);
    x_put_fact.run(id, type, at_ms, run, seq, recalled ? std::string_view() : payload);
    x_changed.insert(id);
  }
}

void MemoryWriter::add_link(const std::string& run, uint64_t seq, int64_t at_ms,
                            std::string_view payload) {
  Json link;
  try {
    link = Json::parse(complete_link(payload));
  } catch (const Error&) {
    return;
  }
  x_put_link.run(run, seq, at_ms, global_memory_id(run, text_of(link, "from")),
                 global_memory_id(run, text_of(link, "to")), text_of(link, "relation"),
                 millionths(link["weight"].get<double>()), text_of(link, "provenance"));
}

void MemoryWriter::add_vector(const std::string& run, uint64_t seq, int64_t at_ms,
                              std::string_view payload) {
  try {
    const auto told = Json::parse(payload);
    const auto packed = pack_vector(told.at("vector").get<std::vector<double>>());
    if (!packed) return;
    const auto id = global_memory_id(run, told.at("memoryId").get<std::string>());
    x_put_vector.run(run, seq, id, at_ms, told.at("textAt").get<int64_t>(), text_of(told, "model"),
                     *packed);
  } catch (const Json::exception&) {
    return;
  }
}

void MemoryWriter::drop(const std::string& run, uint64_t seq) {
  for (x_old_facts.bind(run, seq); x_old_facts.next();) x_changed.insert(x_old_facts.text(0));
  x_drop_facts.run(run, seq);
  x_drop_link.run(run, seq);
  x_drop_vector.run(run, seq);
}

void MemoryWriter::add_recall(const std::string& run, uint64_t seq, int64_t at_ms,
                              const std::vector<std::string>& told_ids) {
  for (const auto& told : told_ids) {
    const auto id = global_memory_id(run, told);
    x_put_recall.run(id, at_ms, run, seq);
    x_used.insert(id);
  }
}

void MemoryWriter::drop_recalls(const std::string& run) {
  for (x_old_recalls.bind(run); x_old_recalls.next();) x_used.insert(x_old_recalls.text(0));
  x_drop_recalls.run(run);
}

/// Recalls are many: what only they touched keeps its row and its words.
void MemoryWriter::fold() {
  for (const auto& id : x_changed) fold_one(id);
  for (const auto& id : x_used) {
    if (!x_changed.contains(id)) x_put_accessed.run(accessed_ms(id), id);
  }
  x_changed.clear();
  x_used.clear();
}

int64_t MemoryWriter::accessed_ms(const std::string& id) {
  return x_accessed.bind(id).next() ? x_accessed.number(0) : 0;
}

void MemoryWriter::fold_one(const std::string& id) {
  std::optional<Memory> memory;
  for (x_facts.bind(id); x_facts.next();) {
    const auto run = x_facts.text(0);
    const auto type = x_facts.text(1);
    const auto payload = x_facts.text(3);
    fold_fact(memory, {run, type, x_facts.number(2), payload});
  }
  if (memory) memory->accessed_ms = accessed_ms(id);
  std::optional<int64_t> key;
  if (x_key.bind(id).next()) key = x_key.number(0);
  if (key) x_drop_text.run(*key);
  if (!memory) {
    if (key) x_drop.run(*key);
    return;
  }
  x_put.run(key, id, memory->run, memory->note, memory->summary, memory->kind, memory->cls,
            memory->scope.type, memory->scope.id, memory->source_type, memory->source_id,
            millionths(memory->importance), millionths(memory->confidence), memory->metadata,
            memory->created_ms, memory->updated_ms, memory->accessed_ms, memory->expires_ms,
            memory->forgotten_ms);
  if (!key && x_key.bind(id).next()) key = x_key.number(0);
  x_put_text.run(*key, memory->note, memory->summary);
}

}  // namespace reprise
