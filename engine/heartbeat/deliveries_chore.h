// Hooks in a heartbeat: events whose delivery failed, and those of commands that died before they
// could deliver them.
#pragma once

#include <functional>
#include <memory>

#include "engine/heartbeat/chore.h"
#include "engine/hooks/deadline.h"

namespace reprise {

/// `require_trust` throws where the home may run nothing. A hook has so much time in a beat, for
/// all that it is told: an attempt ends with its own timeout or with that, whichever is sooner.
/// Keys: "begin:HOOK", "end:HOOK" (it is not configured any more), "send:HOOK:RUN/SEQ",
/// "mark:HOOK".
std::unique_ptr<Chore> make_deliveries_chore(std::function<void()> require_trust,
                                             int64_t most_ms = kMostDeliveryMs);

}  // namespace reprise
