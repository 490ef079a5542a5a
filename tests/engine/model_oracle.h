// What must hold of any run at any moment (the oracles of the model test).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/run_state.h"
#include "tests/engine/run_fixture.h"

namespace reprise::test {

using Attempted = std::pair<uint64_t, uint32_t>;  ///< effect and attempt

struct GivenClaim {
  Attempted attempt;
  std::string token;
};

/// What the outside world was told is recorded. Values are JSON texts, all different.
struct Acknowledged {
  std::map<uint64_t, std::string> results;    ///< value or error by effect
  std::map<Attempted, std::string> outcomes;  ///< the same by attempt, also of those that failed
  std::vector<GivenClaim> claims;
  std::map<std::string, std::string> signals;  ///< value to name
  std::set<std::string> unsure;                ///< signals whose command failed: at most once
};

/// Checks the journal against itself and against what was acknowledged:
///   * no attempt has two outcomes, none is left out, each acknowledged one is there;
///   * an attempt is one claimer's at a time, and who gave a claim back does not have it any more;
///   * effect ids rise; each result and signal that was acknowledged is there once, none else is;
///   * no result reached another call, each was given once; signals arrived in order;
///   * nothing is decided after an end; the state from the first record equals that from the cache.
void check_run(TestRun& run, const Acknowledged& acknowledged);

/// A state as text: equal states have equal texts.
std::string text_of(const RunState& state);

/// Labels of the effects whose results were applied behind `after` up to `applied`, in order.
std::vector<std::string> labels_applied(TestRun& run, uint64_t after, uint64_t applied);

}  // namespace reprise::test
