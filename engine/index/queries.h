// What people and heartbeats ask of all runs. Each is one query on tables that are up to date
// (RunIndex::ask), with pages where there may be many.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/index/database.h"
#include "engine/run_state.h"

namespace reprise {

struct RunRow {
  std::string name;    ///< of its directory
  std::string run_id;  ///< as recorded; empty when it cannot be read
  std::string process;
  std::string status;  ///< or "damaged", or "foreign": another program's
  bool has_process = false;
  int64_t created_at_ms = 0;
  int64_t updated_at_ms = 0;
  std::optional<int64_t> wake_at_ms;
  std::string pending;  ///< {"shell":2}
  std::string labels;   ///< an object, or empty
  std::string code;     ///< of a damaged or foreign one
  std::string message;  ///< why it cannot be read, or why it failed
  uint32_t rules = 0;
};

struct RunFilter {
  std::vector<std::string> statuses;          ///< any of them; none: all
  std::optional<std::string> process;         ///< id
  std::map<std::string, std::string> labels;  ///< all of them
  std::optional<int64_t> since_ms;            ///< changed then or later
  std::optional<std::string> waiting_for;     ///< a kind of effect, or "signal"
  std::optional<std::string> parent;          ///< run id
  bool top_level = false;                     ///< only those that are nobody's child
  bool startable = false;                     ///< only those with a process
  std::optional<uint32_t> rules_below;        ///< only those with older rules that have not ended
  std::string after;                          ///< behind this run; empty: from the first
  uint64_t limit = 50;
};

template <typename Row>
struct Page {
  std::vector<Row> rows;
  bool more = false;
};

/// The newest first. nullopt when there is no run `after`.
std::optional<Page<RunRow>> list_runs(Database& database, const RunFilter& filter);

struct EffectRow {
  std::string run;  ///< its directory
  std::string run_id;
  std::string process;
  OpenEffect effect;  ///< without places and options
};

struct EffectFilter {
  enum class Standing { kAny, kAvailable, kClaimed, kHeld, kAsking };
  Standing standing = Standing::kAny;      ///< kAsking: open questions, and what is held
  std::vector<std::string> kinds;          ///< any of them; none: all
  std::string run;                         ///< directory; empty: all
  int64_t now_ms = 0;                      ///< for kAvailable and kAsking
  std::pair<std::string, uint64_t> after;  ///< run and effect
  uint64_t limit = 100;
};

/// Open effects of runs that can still use a result, by run and effect.
Page<EffectRow> list_effects(Database& database, const EffectFilter& filter);

struct EventRow {
  int64_t id = 0;  ///< place in the stream, within one epoch
  std::string run;
  uint64_t seq = 0;
  int64_t at_ms = 0;
  std::string type;
  Place place;
  std::string process = {};   ///< of the run
  std::string identity = {};  ///< of the run; empty: it has none
};

struct EventFilter {
  std::vector<std::string> types;  ///< any of them; none: all. "visor.*": all that begin so
  std::string run;
  std::optional<int64_t> since_ms;
  int64_t after = 0;
  uint64_t limit = 100;
  bool newest_first = false;  ///< `after`, unless it is 0, is then the first that is too new
};

/// Domain events in the order in which the index learnt of them.
Page<EventRow> list_events(Database& database, const EventFilter& filter);

/// How many runs there are of each status.
std::map<std::string, uint64_t> count_runs(Database& database);
uint64_t count_records(Database& database);
uint64_t count_effects(Database& database);
uint64_t count_events(Database& database);

}  // namespace reprise
