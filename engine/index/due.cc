// Most of it is asked of partial indexes that hold what is due and nothing else.
//
// Relatives are another matter: whether a child is missing or has ended stands in another run's
// row. So whoever stores a run puts it into `unsettled` when it has relatives at all, and here the
// rows of those are asked; a run for which nothing is found is dropped from the list, until it, or
// the relative on which it depends, changes again.
#include "engine/index/due.h"

#include <algorithm>
#include <array>
#include <set>

namespace reprise {

namespace {

constexpr std::array<std::string_view, 7> kDriven = {
    "agents", "board", "channel", "memory", "schedules", "subconscious", "visor"};

/// One question for all of it, because it is asked every minute and mostly has no answer: the last
/// row says only that there is something in `unsettled`.
constexpr const char* kDue =
    "SELECT * FROM (SELECT 0 AS why, name, updated_ms AS at FROM runs INDEXED BY runs_ready "
    "WHERE status = 'ready' AND simulated = ?1 ORDER BY updated_ms, name LIMIT ?3) UNION ALL "
    "SELECT * FROM (SELECT 1, name, updated_ms FROM runs INDEXED BY runs_begin "
    "WHERE status = 'created' AND startable = 1 AND (driven = 1 OR parent <> '') "
    "AND simulated = ?1 ORDER BY updated_ms, name LIMIT ?3) UNION ALL "
    "SELECT * FROM (SELECT 2, name, wake_ms FROM runs INDEXED BY runs_wake "
    "WHERE status = 'waiting' AND wake_ms IS NOT NULL AND simulated = ?1 AND wake_ms <= ?2 "
    "ORDER BY wake_ms LIMIT ?3) UNION ALL "
    "SELECT * FROM (SELECT 3, '', 0 FROM unsettled LIMIT 1)";

/// Of a row of `unsettled`, with its run's row as `own`: is there something that a relative is to
/// be told? In turn: a child that nobody waits for any longer goes on; a signal was not delivered;
/// a child is missing (another run may have its id), or has ended; the run itself has ended, and
/// its parent still waits.
constexpr const char* kOwes =
    "(unsettled.child <> '' AND EXISTS (SELECT 1 FROM runs WHERE name = unsettled.child AND "
    "parent_identity = own.identity AND cancelling = 0 AND status IN ('created', 'ready', "
    "'waiting', 'paused'))) OR "
    "(unsettled.child = '' AND ("
    "EXISTS (SELECT 1 FROM effects WHERE run = unsettled.run AND kind = 'run.signal') OR "
    "EXISTS (SELECT 1 FROM effects LEFT JOIN runs ON runs.name = effects.child "
    "WHERE effects.run = unsettled.run AND kind = 'run' AND effects.child <> '' AND ("
    "((runs.name IS NULL OR runs.parent_identity <> own.identity) AND "
    "own.status NOT IN ('completed', 'failed', 'halted', 'cancelled')) OR "
    "runs.status IN ('completed', 'failed', 'halted', 'cancelled'))) OR "
    "(own.status IN ('completed', 'failed', 'halted', 'cancelled') AND "
    "EXISTS (SELECT 1 FROM effects CROSS JOIN runs ON runs.name = effects.run WHERE "
    "child = unsettled.run AND child <> '' AND runs.identity = own.parent_identity))))";

/// Collects runs, each once.
class Collector {
 public:
  explicit Collector(uint64_t limit) : x_limit(limit) {}

  void take(DueRun run) {
    if (x_due.size() < x_limit && x_names.insert(run.name).second) x_due.push_back(std::move(run));
  }
  std::vector<DueRun> done() { return std::move(x_due); }

 private:
  uint64_t x_limit;
  std::vector<DueRun> x_due;
  std::set<std::string> x_names;
};

void take_unsettled(Database& database, const BeatTime& time, uint64_t limit,
                    Collector& collector) {
  const std::string from = "FROM unsettled CROSS JOIN runs AS own ON own.name = unsettled.run ";
  database.execute(("DELETE FROM unsettled WHERE (run, child) IN (SELECT unsettled.run, "
                    "unsettled.child " +
                    from + "WHERE NOT (" + kOwes + "))")
                       .c_str());
  auto rows = database.prepare("SELECT DISTINCT own.name, own.updated_ms " + from +
                               "WHERE own.simulated = ? AND own.status NOT IN ('paused', "
                               "'damaged', 'foreign') AND (" +
                               kOwes + ") ORDER BY own.updated_ms, own.name LIMIT ?");
  for (rows.bind(time.simulated ? 1 : 0, limit); rows.next();) {
    collector.take({rows.text(0), DueRun::Why::kRelatives, rows.number(1)});
  }
}

}  // namespace

bool is_driven_process(std::string_view built_in) {
  return std::ranges::find(kDriven, built_in) != kDriven.end();
}

std::string_view why_name(DueRun::Why why) {
  switch (why) {
    case DueRun::Why::kReady:
      return "ready";
    case DueRun::Why::kBegins:
      return "begins";
    case DueRun::Why::kTime:
      return "time";
    case DueRun::Why::kRelatives:
      return "relatives";
  }
  return "";
}

std::vector<DueRun> list_due(Database& database, const BeatTime& time, uint64_t limit) {
  Collector collector(limit);
  bool unsettled = false;
  auto rows = database.prepare(kDue);
  for (rows.bind(time.simulated ? 1 : 0, time.now_ms, limit); rows.next();) {
    const auto why = static_cast<DueRun::Why>(rows.number(0));
    unsettled = why == DueRun::Why::kRelatives;
    if (!unsettled) collector.take({rows.text(1), why, rows.number(2)});
  }
  if (unsettled) take_unsettled(database, time, limit, collector);
  return collector.done();
}

std::vector<DrivenEffect> list_driven(Database& database, const BeatTime& time, uint64_t limit) {
  auto rows = database.prepare(
      "WITH RECURSIVE family(root, name, identity) AS ("
      "SELECT name, name, identity FROM runs INDEXED BY runs_driven WHERE driven = 1 AND "
      "status IN ('created', 'ready', 'waiting') AND simulated = ? UNION "
      "SELECT root, runs.name, runs.identity FROM family CROSS JOIN effects ON effects.run = "
      "family.name "
      "CROSS JOIN runs ON runs.name = effects.child WHERE effects.child <> '' AND "
      "runs.parent_identity = family.identity AND runs.driven = 0 AND runs.status IN ('created', "
      "'ready', 'waiting')) "
      "SELECT root, effects.run, id FROM family CROSS JOIN effects ON effects.run = family.name "
      "WHERE held = '' AND available_ms <= ? AND "
      "kind NOT IN ('breakpoint', 'run', 'sleep', 'recall', 'run.signal') "
      "ORDER BY requested_ms, effects.run, id LIMIT ?");
  std::vector<DrivenEffect> found;
  for (rows.bind(time.simulated ? 1 : 0, time.now_ms, limit); rows.next();) {
    found.push_back({rows.text(0), rows.text(1), rows.count(2)});
  }
  return found;
}

}  // namespace reprise
