// Tokens as agents and models count them, each in its own words.
#pragma once

#include <optional>

#include "engine/executors/json_fields.h"

namespace reprise {

/// {"promptTokens","completionTokens"} of what an executor said of its usage; nullopt when it said
/// nothing that is known. What was read from a cache was read.
std::optional<OrderedJson> turn_usage(const OrderedJson& said);

}  // namespace reprise
