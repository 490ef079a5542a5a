// The channel: a conversation with an agent. Messages queue by priority, one agent run at a time
// answers them, workers and branches work beside it, and a compactor keeps the context small
// (docs/channels.md).
//
// Inputs, signals, events, effects and questions are listed in docs/channel-protocol.md.
#pragma once

#include "engine/process/process.h"

namespace reprise {

BuiltIn channel_process();

}  // namespace reprise
