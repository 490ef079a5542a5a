// What an operator does with a channel: stop, hold, release, recover, configure, allow, deny,
// cancel, reorder, delay, delete.
#pragma once

#include "processes/channel/scribe.h"
#include "processes/channel/signals.h"

namespace reprise::channel {

/// The signals of this file, for the table of signals.cc.
std::span<const SignalSpec> control_signals();

}  // namespace reprise::channel
