// Folders of runs that another program made: babysitter's (docs/coming-from-babysitter.md). They
// are neither damaged nor ours: nothing is written into them, not even a lock. lock_run and the
// readers of a journal throw FOREIGN_RUN for them.
#pragma once

#include <string_view>

#include "journal/error.h"
#include "journal/files.h"

namespace reprise {

constexpr std::string_view kForeignRun = "FOREIGN_RUN";

/// Returns whether the folder holds a run of babysitter's: a journal of numbered JSON files, or a
/// run.json with a layout and without our schema. One look at the disk for a run of ours.
bool is_foreign_run(Dir& folder);

/// Error FOREIGN_RUN, exit 3: names the folder, and the program that finishes the run.
Error foreign_run_error(const Dir& folder);

/// Throws that error for such a folder.
void refuse_foreign_run(Dir& folder);

}  // namespace reprise
