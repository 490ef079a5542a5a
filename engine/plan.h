// New code over an old history (replay.md, section 6). A plan is what the code asks for when it is
// given all activations so far, each command either one that is there already or a new one. It is
// made once, recorded with the assignment, and followed by every later replay.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/assignment.h"
#include "engine/machine.h"
#include "engine/reserve.h"
#include "engine/run.h"

namespace reprise {

struct Plan {
  /// `seq` and the seqs of new events (0 here) are known when it is recorded.
  Assignment assignment;
  std::vector<Command> commands;  ///< of the new code; as many as assignment.plan
  std::vector<bool> kept;         ///< of each: it was there already
  uint64_t ended_at = 0;          ///< the activation at which the new code ends; 0: it does not
  /// It waits for an effect that the code before it has withdrawn: to be made again without those.
  bool wants_withdrawn = false;
};

/// Gives the machine, which runs the new code, the activations before the record `until`.
/// `keep_withdrawn`: effects that were withdrawn may be the new code's, too.
Plan make_plan(Machine& machine, OpenRun& open, Dir& run, uint64_t until, bool keep_withdrawn);

/// Gives the machine the history before the last assignment as its plan says. Returns the index of
/// the first activation after it. Error DIVERGED, exit 6.
size_t follow_plan(Machine& machine, OpenRun& open, Dir& run, Reserve& reserve);

}  // namespace reprise
