// A domain event, new or recorded: the only thing that changes the state of a process.
#pragma once

#include <cstdint>
#include <string_view>

#include "processes/kit/json.h"

namespace reprise::kit {

/// Views are valid during the call that is given it.
struct Event {
  std::string_view type;
  const Json& payload;
  int64_t at_ms = 0;
};

}  // namespace reprise::kit
