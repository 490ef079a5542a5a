// What an operator does with a channel: stop, hold, release, recover, configure, delete; and with
// messages that wait: cancel, reorder, delay.
#pragma once

#include <string>

#include "processes/channel/scribe.h"
#include "processes/channel/signals.h"

namespace reprise::channel {

/// The signals of this file, for the table of signals.cc.
std::span<const SignalSpec> control_signals();

/// Ends the active run, if there is one, and takes back the card that the channel is parked on; the
/// run's message counts as processed. `cause`: "stopped" or "stale".
void end_run(Scribe& scribe, const std::string& cause, const std::string& reason);

}  // namespace reprise::channel
