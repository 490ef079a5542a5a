// The live part of an iteration: activations that the process has not seen yet, and what the engine
// performs itself.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/commit.h"
#include "engine/context.h"
#include "engine/machine.h"
#include "engine/reserve.h"
#include "engine/run.h"

namespace reprise {

/// What the engine records by itself (due sleeps, passed deadlines, lost claims, recalls) in one
/// commit; beyond that it commits and goes on (replay.md, section 2).
constexpr size_t kEngineActivationsPerCommit = 10'000;

/// What else goes into the commits of an advance.
struct CommitParts {
  std::function<void(Commit&)> first;  ///< into the first, before the process is given anything
  std::function<void(Commit&)> last;  ///< into the last, when the process has been given everything
};

struct Advanced {
  size_t activations = 0;
  size_t commits = 0;
  /// What a script asked for in the very activation in which it completed: it cannot have waited
  /// for any of them. Races and time limits leave nothing here, for they end in a later one.
  std::vector<uint64_t> unawaited;
};

/// "the run completed and did not wait for t1 t2 ...".
std::string note_of_unawaited(const std::vector<uint64_t>& effects);

/// Gives the activations of the history from `next` on, then what is due at `now_ms`, until nothing
/// is new; commits with that time. When nothing is new it appends nothing, unless what the process
/// waits for is not recorded. `reserve` is as the replay left it.
Advanced advance(Machine& machine, OpenRun& open, Dir& run, const Context& context, int64_t now_ms,
                 size_t next, Reserve& reserve, const CommitParts& parts = {});

}  // namespace reprise
