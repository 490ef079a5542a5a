// Iterating a run among its relatives. What one run does to another is first committed, then
// performed after the lock is free, and found again by whoever iterates either of them later: no
// process ever holds two runs' locks.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/children.h"
#include "engine/iterate.h"
#include "engine/tell.h"

namespace reprise {

/// iterate(), and then: signals for other runs are delivered, children that are missing are made,
/// children that nobody waits for any longer are cancelled, ended ones are posted to the run, which
/// is iterated again with that; the run's own end is posted to its parent. `name` is that of the
/// run's directory. What could not be done with another run is in the notes, and is tried again by
/// the next iterate.
Iteration iterate_among(const RunFolder& folder, std::string_view name, Dir& run,
                        const Context& context);

/// tell(), and then the same. The answer is that of the process after all of it, or, when something
/// went wrong after the commit, which the notes then say, right after the commit.
Told tell_among(const RunFolder& folder, std::string_view name, Dir& run, const Context& context,
                const std::vector<Signal>& signals, After after, std::string_view question);

/// One round of what comes after the iteration, for a run in this state. True when it was given
/// something new; what could not be done is in `notes`.
bool settle_relatives(const RunFolder& folder, std::string_view name, Dir& run,
                      const RunState& state, const Context& context,
                      std::vector<std::string>& notes);

struct IteratedChild {
  std::string run_id;
  Iteration iteration;
};

/// Iterates, depth first, the open descendants of the run that have something new. What goes wrong
/// with one of them is in `notes`.
std::vector<IteratedChild> iterate_descendants(const RunFolder& folder, std::string_view name,
                                               Dir& run, const Context& context,
                                               std::vector<std::string>& notes);

}  // namespace reprise
