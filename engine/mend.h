// Checking and mending a run: run:verify, run:repair-journal, run:rebuild-state.
#pragma once

#include <string>
#include <vector>

#include "engine/context.h"
#include "engine/run_state.h"
#include "journal/files.h"
#include "journal/journal.h"

namespace reprise {

/// Something that is not as the journal says. A file that is derived is no problem: it is rebuilt.
struct Problem {
  std::string kind;   ///< "corrupt", "missing", "blob", "process", "log", "identity"
  std::string where;  ///< the file, relative to the run
  std::string reason;
  std::string remedy;  ///< a command or an advice
};

struct RunVerdict {
  Verdict journal;
  uint64_t blobs = 0;             ///< verified
  uint64_t modules = 0;           ///< verified
  std::vector<Problem> problems;  ///< empty: the run is whole
};
/// Reads everything that the journal names, verifies all sums and digests. Takes no lock.
RunVerdict verify_run(Dir& run, std::string_view run_name);

/// repair_journal under the run's lock, then the derived files anew.
Repair repair_run(Dir& run, const Context& context, bool accept_loss, bool dry_run);

/// Everything derived from the journal, anew: run.json, inputs.json, state/, tasks/. Under the
/// lock.
RunState rebuild_run(Dir& run, const Context& context);

}  // namespace reprise
