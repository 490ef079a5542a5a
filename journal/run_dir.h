// A run as a directory: building one aside, finding its parts.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "journal/files.h"

namespace reprise {

/// A run that is being built in runs/.new-<ulid>/. commit() publishes it whole; the destructor
/// discards it.
class NewRun {
 public:
  NewRun(Dir& runs, std::string_view ulid);
  ~NewRun();
  NewRun(const NewRun&) = delete;
  NewRun& operator=(const NewRun&) = delete;

  Dir& dir() { return *x_dir; }
  /// Syncs every directory that was made in it, renames it to `run_id` and syncs runs/.
  /// False when a run of that name exists: nothing changed, the folder built aside is gone.
  bool commit(std::string_view run_id);

 private:
  Dir& x_runs;
  std::string x_name;
  std::unique_ptr<Dir> x_dir;
  bool x_done = false;
};

/// The run's exclusive lock, waiting at most `timeout_ms`. Errors: LOCKED, exit 7, that names the
/// holder; FOREIGN_RUN, exit 3, for a folder of another program, in which nothing is made.
std::unique_ptr<FileLock> lock_run(Dir& run, int64_t timeout_ms, std::string_view holder);

}  // namespace reprise
