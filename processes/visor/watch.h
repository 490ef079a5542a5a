// What follows from a tick, and from a bulletin that was written.
#pragma once

#include <vector>

#include "engine/process/process.h"
#include "processes/visor/state.h"

namespace reprise::visor {

/// Of a state that has begun this tick.
std::vector<Command> watch(const State& state, const Tick& tick, int64_t at_ms);

/// The text of the pending bulletin came; null, and why: it did not.
std::vector<Command> take_text(const State& state, const Json& value, const std::string& error,
                               int64_t at_ms);

}  // namespace reprise::visor
