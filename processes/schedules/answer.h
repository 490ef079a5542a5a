// What the schedules answer: schedules.h lists the questions.
#pragma once

#include "processes/schedules/state.h"

namespace reprise::schedules {

Json answer(const State& state, const Json& question);

}  // namespace reprise::schedules
