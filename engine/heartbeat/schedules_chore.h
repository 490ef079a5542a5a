// The schedules of a home in a heartbeat: occurrences whose time has come, answers to the messages
// of those that fired, threads that are to go.
#pragma once

#include <memory>

#include "engine/heartbeat/chore.h"

namespace reprise {

/// Keys: "fire:3@1767225600000", "hear:7" (the number of the firing), "drop:THREAD".
std::unique_ptr<Chore> make_schedules_chore();

}  // namespace reprise
