// run:signal: an input that nobody requested. It queues in the journal until the process awaits a
// signal of its name.
#pragma once

#include <string>
#include <vector>

#include "engine/context.h"
#include "engine/run_state.h"
#include "journal/files.h"
#include "journal/value.h"

namespace reprise {

struct Signal {
  std::string name;
  Value value;
  std::string key;  ///< --key: any repeat with this name and key changes nothing
  bool dry_run = false;
};

struct Signalled {
  bool recorded = false;  ///< false: it was recorded before (or a dry run)
  uint64_t seq = 0;       ///< of the record; 0 in a dry run
  int64_t at_ms = 0;
  RunState state;
  std::vector<std::string> notes;  ///< derived files that could not be written
};

/// Durable when it returns. A run that ended by completing or halting records the signal, too, and
/// applies it never. Errors: INVALID_SIGNAL (exit 2) for a name that is empty or begins
/// with "reprise.", and those of open_run.
Signalled send_signal(Dir& run, const Context& context, const Signal& signal);

class Commit;

/// The same as a part of a commit that is being made: `recorded` when the commit is written. A
/// dry run adds nothing. `state` is left empty. Error INVALID_SIGNAL leaves the commit as it was.
Signalled add_signal(Commit& commit, Dir& run, const Context& context, const Signal& signal);

}  // namespace reprise
