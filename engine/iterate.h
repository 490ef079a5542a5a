// One iteration: lock, replay, advance until the process waits, commit once, refresh what is
// derived.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/advance.h"
#include "engine/context.h"
#include "engine/machine.h"
#include "engine/run.h"
#include "journal/files.h"

namespace reprise {

struct Iteration {
  RunState state;                  ///< after the commit
  int64_t at_ms = 0;               ///< the time of the iteration
  size_t activations = 0;          ///< given live
  size_t commits = 0;              ///< 0 when there was nothing new
  std::vector<LogLine> log;        ///< of the live activations
  std::vector<std::string> notes;  ///< "the source main.js changed since the run was created"; what
                                   ///< write_derived says
};

/// Error RUN_HAS_NO_PROCESS, exit 2, for a bare run.
void refuse_without_process(const RunState& state);

/// The live part of an iteration and what is derived from it, for those who have the machine: gives
/// the history's activations from `next` on, and what `parts` adds. `result.at_ms` is its time.
void go_on(Machine& machine, OpenRun& open, Dir& run, const Context& context, size_t next,
           Reserve& reserve, const CommitParts& parts, Iteration& result);

/// Errors: RUN_HAS_NO_PROCESS (exit 2), DIVERGED (exit 6), SCRIPT_BUDGET (exit 9), those of
/// open_run. On an error nothing of the iteration is recorded. A run that ended or is
/// paused is left alone.
Iteration iterate(Dir& run, const Context& context);

}  // namespace reprise
