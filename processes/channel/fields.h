// What somebody sent, checked by the kit of built-in processes.
#pragma once

#include "processes/channel/json.h"
#include "processes/kit/fields.h"

namespace reprise::channel {

using kit::Fields;
using kit::kMostNameBytes;

/// Of working directories and entries.
constexpr size_t kMostPathBytes = 4096;
/// That a worker or a branch may name.
constexpr size_t kMostTools = 100;

}  // namespace reprise::channel
