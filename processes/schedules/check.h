// What may be wrong with a signal for the schedules, as they stand.
#pragma once

#include <optional>
#include <string_view>

#include "engine/process/process.h"
#include "processes/schedules/state.h"

namespace reprise::schedules {

std::optional<Refusal> check_signal(const State& state, std::string_view name, const Json& value);

}  // namespace reprise::schedules
