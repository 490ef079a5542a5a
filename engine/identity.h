// A run's identity: what tells it from every other run, also from one that has its id before or
// after it, or in another home. It is recorded when the run is made, beside the id and the seed of
// its random stream, and whatever the run says of itself to others carries it. A run that was made
// without one (version 0.1.0) has none, and is known by its id alone, as before.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/run_state.h"

namespace reprise {

/// 32 hex digits; the one of a new run that is given no other.
std::string derived_identity(std::string_view run_id, std::string_view seed);

/// `name`, and "/IDENTITY" behind it when there is one.
std::string with_identity(std::string name, std::string_view identity);

/// "RUN/tN/IDENTITY", without the last where the run has none: the same in every attempt of the
/// effect, and of no other effect.
std::string idempotency_key(const RunState& run, uint64_t effect);

/// Was this run made for that effect of the parent? Not when an earlier run of the parent's id made
/// it.
bool is_child_of(const RunState& run, const RunState& parent, uint64_t effect);

}  // namespace reprise
