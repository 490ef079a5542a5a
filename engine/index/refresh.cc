// Three steps. What changed is put into the table `touched`: the runs that changes.log names, those
// that were made or removed (the folder's time says whether any was), or all runs after a boot, a
// gap in the log, or into empty tables. Then each of them is read, batch by batch. A row of
// `touched` goes when its run has a record behind the one that its writer named: until then the
// writer may be about to append. So whoever is killed leaves rows that the next one goes on with.
#include "engine/index/refresh.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <utility>
#include <vector>

#include "engine/index/run_writer.h"
#include "journal/error.h"

namespace reprise {

namespace {

constexpr int kBatchRuns = 500;
constexpr uint64_t kLongLogBytes = uint64_t{64} << 10;
/// A folder that changed less than this ago may change again without another time: twice the
/// longest tick of a kernel's clock, 10 ms.
constexpr int64_t kCoarseTimeMs = 20;
/// The same of a file system that tells no more than seconds, or every other one.
constexpr int64_t kSecondsTimeMs = 2000;

class Meta {
 public:
  explicit Meta(Database& database)
      : x_get(database.prepare("SELECT value FROM meta WHERE name = ?")),
        x_put(database.prepare("INSERT OR REPLACE INTO meta VALUES (?,?)")) {}

  std::string get(const char* name) { return x_get.single_text(name); }
  void put(const char* name, const std::string& value) { x_put.run(name, value); }

  LogPosition position() {
    const auto offset = get("offset");
    return {get("generation"), offset.empty() ? 0 : std::stoull(offset)};
  }
  void put_position(const LogPosition& position) {
    put("generation", position.generation);
    put("offset", std::to_string(position.offset));
  }

 private:
  Statement x_get;
  Statement x_put;
};

/// When names in the folder last changed; empty while they may have changed since unnoticed.
std::string time_of(const std::string& folder) {
  struct stat status;
  if (::stat(folder.c_str(), &status) != 0) throw system_error("stat", folder, errno);
  const auto at_ms = status.st_mtim.tv_sec * 1000 + status.st_mtim.tv_nsec / 1'000'000;
  const auto coarse_ms = status.st_mtim.tv_nsec == 0 ? kSecondsTimeMs : kCoarseTimeMs;
  if (WallClock().now_ms() - at_ms < coarse_ms) return {};
  return std::to_string(status.st_mtim.tv_sec) + "." + std::to_string(status.st_mtim.tv_nsec);
}

/// Empty when it is unknown.
std::string boot_of(Dir& runs) {
  const auto boot = runs.boot_id();
  if (boot == BootId{}) return {};
  std::string text;
  for (const auto byte : boot) text += format_hex64(byte).substr(14);
  return text;
}

/// What tells whether anything can have changed unnoticed.
struct Signs {
  std::string boot;  ///< empty: unknown
  std::string time;  ///< of the folder; empty: not to be relied upon
};

/// Nothing is new since the last question: asked most often, so it is one query.
bool is_current(Database& database, const IndexFiles& changes, const Signs& signs) {
  if (signs.boot.empty() || signs.time.empty()) return false;
  std::map<std::string, std::string> meta;
  auto rows = database.prepare(
      "SELECT name, value FROM meta UNION ALL SELECT 'touched', 'yes' FROM touched");
  while (rows.next()) meta[rows.text(0)] = rows.text(1);
  if (meta["epoch"].empty() || meta.contains("touched")) return false;
  if (meta["boot"] != signs.boot || meta["folder"] != signs.time) return false;
  const auto& offset = meta["offset"];
  const LogPosition position{meta["generation"], offset.empty() ? 0 : std::stoull(offset)};
  const auto log = read_changes(changes, position);
  return log.continues && log.marks.empty();
}

class Refresh {
 public:
  Refresh(Database& database, const RunsFolder& folder, const IndexFiles& changes, Random& random,
          bool is_home, Signs signs)
      : x_database(database),
        x_folder(folder),
        x_changes(changes),
        x_random(random),
        x_is_home(is_home),
        x_signs(std::move(signs)),
        x_meta(database) {}

  Refreshed run() {
    note_changes();
    read_touched();
    finish();
    if (x_is_home && x_done.runs_read > 0) note_memory();
    return x_done;
  }

 private:
  bool is_same_boot() { return !x_signs.boot.empty() && x_meta.get("boot") == x_signs.boot; }
  bool names_are_known() { return !x_signs.time.empty() && x_meta.get("folder") == x_signs.time; }

  void note_changes() {
    Transaction transaction(x_database);
    const auto log = read_changes(x_changes, x_meta.position());
    x_done.built = x_meta.get("epoch").empty();
    x_done.compared = !log.continues || !is_same_boot();
    auto touch = x_database.prepare(
        "INSERT INTO touched VALUES (?,?) ON CONFLICT(run) DO UPDATE SET seq = excluded.seq "
        "WHERE seq < excluded.seq");
    if (x_done.compared || !names_are_known()) note_names(touch);
    for (const auto& mark : log.marks) touch.run(mark.run, mark.head_seq);
    x_meta.put("boot", x_signs.boot);
    x_meta.put("folder", x_signs.time);
    // A writer that looked for the log just before it was begun has left no mark: the next query
    // compares once more.
    if (log.end.generation.empty() && x_is_home) begin_changes(x_changes, new_generation());
    x_meta.put_position(log.end);
    transaction.commit();
    x_position = log.end;
  }

  /// New runs are touched, removed ones go; when everything is compared, all are touched.
  void note_names(Statement& touch) {
    auto names = x_folder.runs.list("");
    std::erase_if(names, [](const std::string& name) { return !valid_run_id(name); });
    std::vector<std::string> known;
    for (auto row = x_database.prepare("SELECT name FROM runs ORDER BY name"); row.next();) {
      known.push_back(row.text(0));
    }
    const auto in = [](const auto& list, const auto& name) {
      return std::ranges::binary_search(list, name);
    };
    for (const auto& name : names) {
      if (x_done.compared || !in(known, name)) touch.run(name, 0);
    }
    RunWriter writer(x_database);
    for (const auto& name : known) {
      if (!in(names, name)) writer.remove(name);
    }
  }

  void read_touched() {
    std::string last;
    while (read_batch(last)) continue;
  }

  /// The batch behind `last`, which moves on; false when there is none.
  bool read_batch(std::string& last) {
    Transaction transaction(x_database);
    auto next =
        x_database.prepare("SELECT run, seq FROM touched WHERE run > ? ORDER BY run LIMIT " +
                           std::to_string(kBatchRuns));
    std::vector<Mark> batch;
    for (next.bind(last); next.next();) batch.push_back({next.text(0), next.count(1)});
    if (batch.empty()) return false;
    RunWriter writer(x_database);
    auto settled = x_database.prepare("DELETE FROM touched WHERE run = ?");
    for (const auto& mark : batch) {
      if (take_in(writer, mark)) settled.run(mark.run);
    }
    last = batch.back().run;
    transaction.commit();
    return true;
  }

  /// Whether the tables now hold what the mark was set for.
  bool take_in(RunWriter& writer, const Mark& mark) {
    const auto known = writer.known(mark.run);
    if (known && looks_the_same(x_folder.runs, mark.run, known->file)) {
      return known->head.seq > mark.head_seq;
    }
    ++x_done.runs_read;
    const auto* from = known && known->head.seq > 0 ? &known->head : nullptr;
    const auto reading = read_run(x_folder.runs, mark.run, from);
    writer.store(mark.run, reading);
    return !reading.exists || reading.head.seq > mark.head_seq;
  }

  void finish() {
    const bool first = x_meta.get("epoch").empty();
    const bool is_long = x_is_home && x_position.offset > kLongLogBytes;
    if (!first && !is_long) return;
    Transaction transaction(x_database);
    if (x_meta.get("epoch").empty()) {
      order_events();
      x_meta.put("epoch", new_generation());
    }
    if (is_long && x_meta.position() == x_position) {
      const auto begun = trim_changes(x_changes, x_position, new_generation());
      if (begun) x_meta.put_position(*begun);
    }
    transaction.commit();
  }

  /// The first reading goes run by run; the stream begins in the order of time.
  void order_events() {
    x_database.execute(
        "CREATE TEMP TABLE ordered AS SELECT * FROM events ORDER BY at_ms, run, seq;"
        "DELETE FROM events;"
        "INSERT INTO events SELECT rowid, run, seq, sum, at_ms, type, segment, offset, length "
        "FROM temp.ordered ORDER BY rowid;"
        "DROP TABLE temp.ordered");
  }

  /// The mark may be gone, or have been left behind by runs that were copied into the home.
  void note_memory() {
    auto told = x_database.prepare(
        "SELECT 1 FROM events WHERE type >= 'memory.' AND type < 'memory/' UNION ALL SELECT 1 FROM "
        "events WHERE type = 'visor.bulletin.generated' LIMIT 1");
    if (told.next()) mark_memory(x_changes);
  }

  std::string new_generation() { return format_hex64(x_random.next()); }

  Database& x_database;
  const RunsFolder& x_folder;
  const IndexFiles& x_changes;
  Random& x_random;
  bool x_is_home;
  Signs x_signs;
  Meta x_meta;
  LogPosition x_position;
  Refreshed x_done;
};

}  // namespace

Refreshed refresh_index(Database& database, const RunsFolder& folder, const IndexFiles& changes,
                        Random& random, bool is_home) {
  Signs signs{boot_of(folder.runs), time_of(folder.path)};
  if (is_current(database, changes, signs)) return {};
  return Refresh(database, folder, changes, random, is_home, std::move(signs)).run();
}

void distrust_run(Database& database, const std::string& run) {
  Transaction transaction(database);
  database.prepare("UPDATE runs SET head_seq = 0, file_segment = 0 WHERE name = ?").run(run);
  // A mark that is there stays: its writer may be about to append.
  database.prepare("INSERT OR IGNORE INTO touched VALUES (?,0)").run(run);
  transaction.commit();
}

std::string index_epoch(Database& database) { return Meta(database).get("epoch"); }

uint64_t count_touched(Database& database) {
  auto statement = database.prepare("SELECT count(*) FROM touched");
  statement.next();
  return statement.count(0);
}

}  // namespace reprise
