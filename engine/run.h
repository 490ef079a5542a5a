// Opening a run: for reading (no lock, changes nothing) and for writing (locked, settled, durable).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/context.h"
#include "engine/history.h"
#include "engine/run_state.h"
#include "engine/state_cache.h"
#include "journal/files.h"
#include "journal/journal.h"

namespace reprise {

/// The state as of now: the cache and what the journal holds behind it. With `full` every record
/// and sum is read.
struct ReadState {
  RunState state;
  Tail tail;
};
ReadState read_state(Dir& run, bool full = false);

/// How much of the journal a writing command wants.
enum class Read {
  kTail,      ///< the state cache and what follows it: for commands that only append
  kSnapshot,  ///< the same when the cache holds a built-in process's snapshot, else everything
  kAll,       ///< every record, kept, for replay
};

/// A run under its lock. Everything in `history` is durable.
struct OpenRun {
  std::string path;            ///< of the run's directory
  Changes* changes = nullptr;  ///< of the context
  std::unique_ptr<FileLock> lock;
  std::optional<Journal> journal;
  History history;
  Scan effective;              ///< owns what the history's views point to when it was rewritten
  std::string snapshot;        ///< valid at snapshot_applied; read only for Read::kSnapshot
  bool has_snapshot = false;   ///< the state cache that was found holds one
  std::optional<Head> cached;  ///< head of the state cache that was found
  uint64_t cached_bytes = 0;
  uint64_t snapshot_applied = 0;
  JsonReader reader;
};

/// Error LOCKED, CLOCK_BEHIND (a last record more than five minutes ahead of the clock, unless
/// forced), and those of the journal.
OpenRun open_run(Dir& run, const Context& context, Read read);

/// Reads again, without the cache.
void read_everything(Dir& run, OpenRun& open);

/// Every record through the fold that knows what stands. The caller keeps the scan as long as the
/// fold's views.
struct EffectiveRead {
  EffectiveFold fold;
  Scan scan;
};
EffectiveRead read_effective(Dir& run);

/// The time of a command's commit: the clock, but never before the last record.
int64_t commit_time(const OpenRun& open, Clock& clock);

/// Rewrites the state cache when it has fallen behind, or when `always`. `snapshot` takes that of
/// the process with everything applied, only when it is needed: it may be long. Commands that run
/// no process pass nullptr and carry the old one over while it still fits. `open` learns of it.
void refresh_state(Dir& run, OpenRun& open, const std::function<std::string()>& snapshot,
                   bool always);

/// Does `write`, which writes something derived from the journal. When it fails the command goes
/// on: its commit is durable and a later command writes the same again. `notes` says what was not
/// done.
void write_derived(std::vector<std::string>& notes, const std::function<void()>& write);

/// Milliseconds by which the last record is ahead of the clock, when that is more than five
/// minutes; else 0.
int64_t clock_lag_ms(const RunState& state, Clock& clock);

/// Members of a record's data, read again from the journal. `buffer` owns what they point to.
const Members& read_data(Dir& run, const Place& place, std::string& buffer, JsonReader& reader);

}  // namespace reprise
