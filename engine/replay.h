// Giving a process its recorded history again. What it decides must be what is recorded.
#pragma once

#include <cstddef>

#include "engine/machine.h"
#include "engine/reserve.h"
#include "engine/run.h"

namespace reprise {

/// Gives the machine every recorded activation of the history; returns how many of the list that
/// were: the next is live. `reserve` is that of the history. Error DIVERGED, exit 6.
size_t replay(Machine& machine, OpenRun& open, Dir& run, Reserve& reserve);

}  // namespace reprise
