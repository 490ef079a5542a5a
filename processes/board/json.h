// JSON in this process: members are sorted, so equal values are equal texts.
#pragma once

#include "json/read.h"

namespace reprise::board {

using json::flag_of;
using json::Json;
using json::member_of;
using json::number_of;
using json::text_of;

}  // namespace reprise::board
