// What somebody sent, checked by the kit of built-in processes.
#pragma once

#include "processes/channel/json.h"
#include "processes/kit/fields.h"

namespace reprise::channel {

using kit::Fields;
using kit::kMostNameBytes;

}  // namespace reprise::channel
