// What a message may be.
#pragma once

#include <optional>
#include <string_view>

#include "processes/channel/signals.h"

namespace reprise::channel {

/// The msgIds of rows that the channel writes itself begin so.
constexpr std::string_view kOwnRow = "row-";
/// The end of the year 9999, in ms since 1970.
constexpr int64_t kLatestMs = 253'402'300'799'999;

/// Of the signal channel.message.
std::optional<Refusal> check_message(const Channel& channel, const Json& value, int64_t at_ms);

}  // namespace reprise::channel
