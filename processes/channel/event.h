// A domain event of a channel.
#pragma once

#include "processes/channel/json.h"
#include "processes/kit/event.h"

namespace reprise::channel {

using kit::Event;

}  // namespace reprise::channel
