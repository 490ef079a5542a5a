// What a channel tells of itself when it is asked (docs/channel-protocol.md lists the questions).
#pragma once

#include "processes/channel/state.h"

namespace reprise::channel {

/// null for a question that it does not know.
Json answer(const Channel& channel, const Json& question, int64_t now_ms);

}  // namespace reprise::channel
