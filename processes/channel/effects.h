// Which effect is whose, as the kit of built-in processes keeps it.
#pragma once

#include "processes/channel/json.h"
#include "processes/kit/effects.h"

namespace reprise::channel {

using kit::Effects;
using kit::Owner;
using kit::parse_owner;
using kit::Result;
using kit::work_options;

}  // namespace reprise::channel
