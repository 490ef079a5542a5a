#include "engine/index/run_writer.h"

#include <algorithm>

#include "engine/children.h"
#include "engine/index/due.h"
#include "engine/json_writer.h"
#include "journal/foreign_run.h"

namespace reprise {

namespace {

constexpr const char* kDamaged = "damaged";
constexpr const char* kForeign = "foreign";

/// The word of the lists: a run's own status, or why it has none.
std::string_view listed_status(const RunReading& reading) {
  if (reading.code.empty()) return status_name(reading.state.status());
  return reading.code == kForeignRun ? kForeign : kDamaged;
}

std::string pending_json(const RunState& state) {
  std::map<std::string, uint64_t> kinds;
  for (const auto& [id, effect] : state.open) ++kinds[effect.kind];
  JsonWriter json;
  for (const auto& [kind, count] : kinds) json.number(kind, count);
  return json.done();
}

}  // namespace

RunWriter::RunWriter(Database& database)
    : x_known(database.prepare(
          "SELECT head_seq, head_segment, head_offset, head_sum, "
          "file_segment, file_size, file_ms, file_inode FROM runs WHERE name = ?")),
      x_put_run(database.prepare("INSERT OR REPLACE INTO runs VALUES "
                                 "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)")),
      x_old_row(database.prepare("SELECT labels, driven FROM runs WHERE name = ?")),
      x_drop_run(database.prepare("DELETE FROM runs WHERE name = ?")),
      x_drop_labels(database.prepare("DELETE FROM labels WHERE run = ?")),
      x_put_label(database.prepare("INSERT INTO labels VALUES (?,?,?)")),
      x_drop_effects(database.prepare("DELETE FROM effects WHERE run = ?")),
      x_put_effect(database.prepare("INSERT INTO effects VALUES "
                                    "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)")),
      x_old_events(database.prepare("SELECT id, seq, sum, type FROM events WHERE run = ?")),
      x_drop_event(database.prepare("DELETE FROM events WHERE id = ?")),
      x_put_event(database.prepare("INSERT INTO events(run, seq, sum, at_ms, type, segment, "
                                   "offset, length) VALUES (?,?,?,?,?,?,?,?)")),
      x_any_recall(database.prepare("SELECT 1 FROM memory_recalls WHERE run = ? LIMIT 1")),
      x_drop_unsettled(database.prepare("DELETE FROM unsettled WHERE run = ?")),
      x_put_unsettled(database.prepare("INSERT OR IGNORE INTO unsettled VALUES (?,?)")),
      x_unsettle_parent(database.prepare("INSERT OR IGNORE INTO unsettled SELECT parent, '' FROM "
                                         "runs WHERE name = ? AND parent <> ''")),
      x_database(database) {}

std::optional<RunWriter::Known> RunWriter::known(const std::string& name) {
  auto& row = x_known.bind(name);
  if (!row.next()) return std::nullopt;
  Known known;
  known.head.seq = row.count(0);
  known.head.segment = static_cast<uint32_t>(row.count(1));
  known.head.offset = row.count(2);
  known.head.sum = row.count(3);
  known.file = {static_cast<uint32_t>(row.count(4)), row.count(5), row.number(6), row.count(7)};
  return known;
}

void RunWriter::store(const std::string& name, const RunReading& reading) {
  if (!reading.exists) return remove(name);
  store_row(name, reading);
  store_effects(name, reading.state);
  store_unsettled(name, reading);
  store_events(name, reading);
  store_recalls(name, reading);
  if (x_memory) x_memory->fold();
}

void RunWriter::remove(const std::string& name) {
  x_unsettle_parent.run(name);
  x_drop_unsettled.run(name);
  x_drop_run.run(name);
  x_drop_labels.run(name);
  x_drop_effects.run(name);
  std::map<uint64_t, uint64_t> published;
  drop_events(name, {}, published);
  drop_recalls(name);
  if (x_memory) x_memory->fold();
}

MemoryWriter& RunWriter::memory() {
  if (!x_memory) x_memory.emplace(x_database);
  return *x_memory;
}

void RunWriter::store_row(const std::string& name, const RunReading& reading) {
  const auto& state = reading.state;
  auto labels = reading.labels;
  bool driven = false;
  if (!reading.whole && reading.code.empty()) {
    if (x_old_row.bind(name).next()) {
      labels = x_old_row.text(0);
      driven = x_old_row.number(1) != 0;
    }
  } else {
    driven = store_labels(name, labels) || is_driven_process(reading.built_in);
  }
  const auto status = listed_status(reading);
  x_put_run.run(name, state.run_id, state.process_id, status, state.has_process ? 1 : 0,
                state.created_at_ms, state.head.at_ms, state.next_due_ms(), state.parent,
                pending_json(state), labels, reading.code, reading.message, reading.head.seq,
                reading.head.segment, reading.head.offset, reading.head.sum, reading.file.segment,
                reading.file.size, reading.file.modified_ms, state.simulated ? 1 : 0,
                driven ? 1 : 0, state.cancel_seq != 0 ? 1 : 0, state.rules, state.identity,
                state.parent_identity, reading.file.inode);
}

/// Whether one of them says that heartbeats may drive the run.
bool RunWriter::store_labels(const std::string& name, const std::string& labels) {
  x_drop_labels.run(name);
  if (labels.empty()) return false;
  bool driven = false;
  for (const auto& label : x_reader.members_of_copy(labels)) {
    const auto key = unquote('"' + std::string(label.name) + '"');
    const auto value = unquote(label.raw);
    x_put_label.run(key, value, name);
    driven = driven || (key == kAutodriveLabel && value == kAutodriveValue);
  }
  return driven;
}

void RunWriter::store_effects(const std::string& name, const RunState& state) {
  x_drop_effects.run(name);
  for (const auto& [id, effect] : state.open) {
    x_put_effect.bind(name, id, effect.task, effect.kind, effect.label, effect.key, effect.attempt,
                      effect.requested_at_ms, effect.due_ms, effect.timeout_ms,
                      effect.available_at_ms, effect.held);
    const auto claim = effect.claim.value_or(Claim());
    if (effect.claim) {
      x_put_effect.bind_one(13, claim.worker);
    } else {
      x_put_effect.bind_one(13, std::optional<int64_t>());
    }
    x_put_effect.bind_one(14, claim.claimed_at_ms);
    x_put_effect.bind_one(15, claim.until_ms);
    x_put_effect.bind_one(16, claim.host);
    x_put_effect.bind_one(17, claim.boot);
    x_put_effect.bind_one(18, claim.pid);
    x_put_effect.bind_one(19, claim.start_time);
    const bool is_child = effect.kind == kRunKind && state.run_id == name;
    x_put_effect.bind_one(20, is_child ? child_run_id(name, id) : std::string());
    x_put_effect.run();
  }
}

/// Runs that changed and have relatives: due.cc finds out who of them has something to tell.
void RunWriter::store_unsettled(const std::string& name, const RunReading& reading) {
  x_drop_unsettled.run(name);
  const auto& state = reading.state;
  if (!reading.code.empty() || state.run_id != name) return;
  const bool tells = std::ranges::any_of(state.watched, [&](uint64_t id) {
    const auto& kind = state.open.at(id).kind;
    return kind == kRunKind || kind == kRunSignalKind;
  });
  if (tells || (state.end && !state.parent.empty())) x_put_unsettled.run(name, "");
  for (const auto child : state.orphans) x_put_unsettled.run(name, child_run_id(name, child));
}

/// Events that were published stay as they are, with their places in the stream. Those whose
/// records are there no more (a commit that was cut off, a repair) go.
void RunWriter::drop_events(const std::string& name, const RunReading& reading,
                            std::map<uint64_t, uint64_t>& published) {
  std::map<uint64_t, uint64_t> recorded;
  for (const auto& event : reading.events) recorded[event.seq] = event.sum;
  for (x_old_events.bind(name); x_old_events.next();) {
    const auto seq = x_old_events.count(1);
    const auto found = recorded.find(seq);
    if (found != recorded.end() && found->second == x_old_events.count(2)) {
      published.insert(*found);
      continue;
    }
    if (is_memory_event(x_old_events.text(3))) memory().drop(name, seq);
    x_drop_event.run(x_old_events.number(0));
  }
}

void RunWriter::store_events(const std::string& name, const RunReading& reading) {
  std::map<uint64_t, uint64_t> published;
  if (reading.whole) drop_events(name, reading, published);
  for (const auto& event : reading.events) {
    if (published.contains(event.seq)) continue;
    x_put_event.run(name, event.seq, event.sum, event.at_ms, event.type, event.place.segment,
                    event.place.offset, event.place.length);
    if (!is_memory_event(event.type)) continue;
    memory().add(name, event.seq, event.at_ms, event.type, event.payload);
  }
}

void RunWriter::drop_recalls(const std::string& name) {
  if (x_any_recall.bind(name).next()) memory().drop_recalls(name);
}

void RunWriter::store_recalls(const std::string& name, const RunReading& reading) {
  if (reading.whole) drop_recalls(name);
  for (const auto& recall : reading.recalls) {
    memory().add_recall(name, recall.seq, recall.at_ms, recall.ids);
  }
}

}  // namespace reprise
