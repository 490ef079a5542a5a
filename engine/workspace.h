// The home: where runs are, and how a command line names one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/machine.h"
#include "journal/error.h"
#include "journal/files.h"

namespace reprise {

/// A run that was found.
struct RunHandle {
  std::string name;  ///< of its directory; the recorded run id of a copied run may differ
  std::string path;
  std::unique_ptr<Dir> dir;
};

/// What decides where the home is, strongest first: runs_dir (the folder of runs itself), home,
/// $REPRISE_HOME, the nearest ancestor of the working directory that holds .reprise/, ~/.reprise.
struct HomeQuery {
  std::string runs_dir;
  std::string home;
  std::string environment_home;
  std::string working_dir;
  std::string user_home;
};

/// In the home: where what the process of a run logged is kept.
std::string log_path(std::string_view run);

/// How a home came to be the one of a command: whether the user named it decides whether what is in
/// it may be run (engine/home/trust.h).
enum class FoundBy {
  kNamed,     ///< by a flag or $REPRISE_HOME
  kUser,      ///< it is ~/.reprise
  kAncestor,  ///< a folder above the working directory holds it
  kRun,       ///< a run in it was named by its path
};
struct HomePlace {
  std::string path;  ///< absolute
  FoundBy found_by = FoundBy::kNamed;
};

/// HOME_NOT_WRITABLE, exit 8.
Error home_not_writable(const std::string& why);

class Workspace {
 public:
  /// Finds the home; with `create` makes what is missing of it (0700). Without, a missing home has
  /// no runs. Error HOME_NOT_WRITABLE, exit 8, when it cannot be made or written: no other folder
  /// takes its place (docs/decisions/0018-no-other-home.md).
  Workspace(const HomeQuery& query, bool create);

  /// The folder that holds the folder of runs. It may not exist.
  const HomePlace& home() const { return x_home; }
  const std::string& home_path() const { return x_home.path; }
  /// The home that holds a run: another one when the run was found by its path.
  HomePlace home_of(const RunHandle& run) const;

  /// Error HOME_NOT_FOUND, exit 3, when the user named a home (by a flag or $REPRISE_HOME) that is
  /// not there: whoever asks about it is not to be told that it is empty.
  void require_named() const;

  const std::string& runs_path() const { return x_runs_path; }
  bool exists() const { return x_runs != nullptr; }
  /// The folder of runs. Error HOME_NOT_FOUND, exit 3, when it does not exist.
  Dir& runs();

  /// RUN as a command line gives it: an id, a unique prefix of one, a path of a run directory (it
  /// holds a '/'), or @last (the one created last). Child runs count for a prefix and for @last
  /// only when their parent does not. Errors RUN_NOT_FOUND (exit 3, says where it was looked for),
  /// RUN_AMBIGUOUS (exit 2), INVALID_RUN_ID.
  RunHandle find(std::string_view selector);
  /// All runs, by name.
  std::vector<std::string> names();

  /// Appends what the process of the run at that path logged to logs/<run>.jsonl of the home that
  /// holds the run, a JSON object a line. Logs are for people: they are not synced, and a home that
  /// is not there or cannot be written loses them without an error. One of more than 16 MiB becomes
  /// logs/<run>.jsonl.old, and begins again.
  void append_log(const std::string& run_path, const std::vector<LogLine>& lines) const;
  /// Returns what was kept, oldest first; a line that is no log line is left out.
  std::vector<LogLine> read_log(const std::string& run_path) const;

 private:
  /// The home that holds the run; nullptr for a run that lies in none.
  std::unique_ptr<Dir> open_home_of_log(const std::string& run_path) const;
  RunHandle open(const std::string& name);
  RunHandle find_by_path(std::string_view path);
  RunHandle find_by_prefix(std::string_view prefix);
  RunHandle find_last();

  HomePlace x_home;
  std::string x_named_by;  ///< "--home"; empty: nobody named it
  std::string x_runs_path;
  std::string x_working_dir;
  std::unique_ptr<Dir> x_runs;
};

}  // namespace reprise
