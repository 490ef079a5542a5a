// Hooks in a heartbeat: events whose delivery failed, and those of commands that died before they
// could deliver them.
#pragma once

#include <functional>
#include <memory>

#include "engine/heartbeat/chore.h"

namespace reprise {

/// `require_trust` throws where the home may run nothing. Keys: "begin:HOOK", "end:HOOK" (it is not
/// configured any more), "send:HOOK:RUN/SEQ", "mark:HOOK".
std::unique_ptr<Chore> make_deliveries_chore(std::function<void()> require_trust);

}  // namespace reprise
