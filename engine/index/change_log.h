// changes.log: which runs of a folder may have records that the index has not seen. Writing
// commands add a line before they append; whoever brings an index up to date reads them and begins
// the log anew when it is long.
//
//   reprise-changes 1 5f0c9a7be2d14c38
//   01KAQ3ZJ3V5T8M2N6P7R9S0W1X 12
//
// The first line names the log: an index that has read another one compares every run. Then a line
// for each command that wrote: the run's directory, and its last record before. A folder without a
// log has no index, and costs its writers one failed open. A log that cannot be read, or was
// emptied by a writer that could not add its line, is no log: every run is compared.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/changes.h"

namespace reprise {

/// Where the index of a folder of runs lies: beside it, so in the home.
struct IndexFiles {
  std::string folder;
  std::string changes;  ///< a name in it: "changes.log"
  std::string index;    ///< "index.db"
  std::string lock;     ///< "index.lock": shared by its users, exclusive for who replaces it
  std::string memory;   ///< "memory.mark": it is there when a run told something to be remembered

  std::string changes_path() const { return folder + "/" + changes; }
};
/// For "/home/anna/.reprise/runs"; those of a folder of another name begin with that name.
IndexFiles index_files(const std::string& runs_path);

/// The writers' side: open, lock, write, close; nothing is synced, for what a crash of the machine
/// leaves is compared run by run.
class ChangeLog final : public Changes {
 public:
  /// Errors: CHANGES_LOCKED (exit 7); a system error (exit 8) when the log can be neither written
  /// nor emptied nor removed.
  void touch(const std::string& run_path, uint64_t head_seq) override;
  /// Durable when it returns.
  void remember(const std::string& run_path) override;
};

/// Whether any run of the folder told something that is to be remembered. Who reads all runs makes
/// the mark that says so anew.
bool remembers(const IndexFiles& files);
void mark_memory(const IndexFiles& files);

struct Mark {
  std::string run;
  uint64_t head_seq = 0;
};

/// How far a reader came.
struct LogPosition {
  std::string generation;  ///< empty: nowhere
  uint64_t offset = 0;
  bool operator==(const LogPosition&) const = default;
};

struct LogReading {
  LogPosition end;         ///< generation empty: there is no log that could be read
  bool continues = false;  ///< `marks` are all since the position; else every run is to be compared
  std::vector<Mark> marks;  ///< whole lines only
};
/// Reads on behind `from`.
LogReading read_changes(const IndexFiles& files, const LogPosition& from);

/// Begins a log where there is none that could be read. False when the folder cannot be written.
bool begin_changes(const IndexFiles& files, const std::string& generation);

/// Begins the log anew when it still ends at `end`, and nobody writes just now: where it then
/// begins. nullopt: it did not.
std::optional<LogPosition> trim_changes(const IndexFiles& files, const LogPosition& end,
                                        const std::string& generation);

}  // namespace reprise
