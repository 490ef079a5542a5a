// JSON, as the kit of built-in processes reads it.
#pragma once

#include "processes/kit/json.h"

namespace reprise::board {

using kit::flag_of;
using kit::Json;
using kit::member_of;
using kit::number_of;
using kit::text_of;

}  // namespace reprise::board
