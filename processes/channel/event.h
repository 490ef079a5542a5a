// A domain event, new or recorded: the only thing that changes the state of a channel.
#pragma once

#include <cstdint>
#include <string_view>

#include "processes/channel/json.h"

namespace reprise::channel {

/// Views are valid during the call that is given it.
struct Event {
  std::string_view type;
  const Json& payload;
  int64_t at_ms = 0;
};

}  // namespace reprise::channel
