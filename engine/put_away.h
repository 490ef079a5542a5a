// Taking runs that are over out of the way: into the archive beside their folder, or for good.
// Their descendants go with them. No record is written: what is moved or removed is whole
// directories.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/context.h"
#include "engine/run_state.h"
#include "journal/files.h"

namespace reprise {

/// Where archived runs are: "archive" beside a folder called "runs", else its name + "-archive".
std::string archive_path(const std::string& runs_path);

/// Has the archive beside this folder of runs a run of that name? Its id is not free.
bool is_archived(const std::string& runs_path, const std::string& name);

struct PutAwayRun {
  std::string name;                 ///< of its directory
  std::optional<RunStatus> status;  ///< none: it cannot be read
  uint64_t records = 0;
  size_t open = 0;  ///< effects that nobody will ever settle
};

/// The run and its descendants in the folder, children first: what put_away would take. Errors,
/// exit 4: RUN_OPEN when one of them has not ended, unless context.force; RUN_NEEDED when the run
/// is a child of one that is open. Of a run that cannot be read, exit 5, nothing but itself is
/// taken, with context.force.
std::vector<PutAwayRun> plan_put_away(Dir& runs, const std::string& name, const Context& context);

/// Moves each into the archive, which is made when it is missing. Each is there whole or not at
/// all; done again, it goes on with what is left. Error RUN_EXISTS (exit 4) when the archive has a
/// run of that name; LOCKED.
void archive_runs(const std::string& runs_path, const std::vector<PutAwayRun>& plan,
                  const Context& context);

/// Removes each: at once it is no run any more, then its files go, and its log in the home
/// unless the archive has a run of that name.
void delete_runs(const std::string& runs_path, const std::vector<PutAwayRun>& plan,
                 const Context& context);

}  // namespace reprise
