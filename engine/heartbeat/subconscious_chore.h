// The subconscious loops of a home: ticks, and what HEARTBEAT.md says. Windows are stretches of
// heartbeat.intervalMinutes counted from 1970; a tick is due once in each, when a task is due, the
// loop is not paused, and an executor is configured that evaluates. The first one makes the run
// "subconscious". HEARTBEAT.md belongs to that one, not to loops with a name of their own.
#pragma once

#include "engine/heartbeat/chore.h"

namespace reprise {

std::unique_ptr<Chore> make_subconscious_chore();

}  // namespace reprise
