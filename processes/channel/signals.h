// Every signal that a channel takes: what may be wrong with it, and what it does.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "engine/process/process.h"
#include "processes/channel/json.h"

namespace reprise::channel {

struct Channel;
class Scribe;

struct SignalSpec {
  std::string_view name;
  std::optional<Refusal> (*check)(const Channel& channel, const Json& value, int64_t at_ms);
  /// Of a value that passed the check. `signal`: seq of its record.
  void (*apply)(Scribe& scribe, const Json& value, uint64_t signal);
};

/// nullptr when a channel knows no signal of that name.
const SignalSpec* find_signal(std::string_view name);

}  // namespace reprise::channel
