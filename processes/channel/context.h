// How full the context is: the share of the window that the next prompt would take.
#pragma once

#include "processes/channel/state.h"

namespace reprise::channel {

/// min(1, max(1, floor(characters / 4)) / window) over the messages that a prompt would carry
/// (reference of seed 000); real usage replaces the estimate for the turns that it covers.
double utilization(const Channel& channel);

}  // namespace reprise::channel
