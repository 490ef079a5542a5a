// What code would make of a run that is under way, as process:check --against-open asks. Reads
// only: no lock, nothing recorded.
#pragma once

#include <string>

#include "engine/assign.h"

namespace reprise {

struct AgainstRun {
  bool goes_on = false;      ///< the code decides what is recorded, no more and no less
  std::string difference;    ///< the first one: "request t3 of task ... is not asked for"
  uint64_t kept = 0;         ///< recorded commands that the code asks for, too
  uint64_t added = 0;        ///< that it asks for anew
  uint64_t not_reached = 0;  ///< recorded ones that it does not ask for
};

/// Was the run made from this file? By the path that its source was pinned from, or by the process
/// id that run:create would give the file.
bool runs_program(Dir& run, const RunState& state, const std::string& entry);

/// Gives the code the history that the run's own code was given. Errors: those of pinning, loading
/// and reading.
AgainstRun check_against(Dir& run, const Context& context, const SourceReader& read,
                         const ProcessChoice& code);

}  // namespace reprise
