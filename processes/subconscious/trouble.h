// What kind of failure an effect's error tells of.
#pragma once

#include <cstdint>
#include <string>

#include "processes/kit/effects.h"

namespace reprise::subconscious {

enum class Trouble : uint8_t {
  kRateLimited,  ///< tried again, up to kMostAttempts in all
  kPermanent,    ///< another try would end the same way until a person changes something
  kOther,
};

constexpr int kMostAttempts = 3;
/// Before attempt 2; twice as long before each further one.
constexpr int64_t kFirstPauseMs = 2000;

Trouble trouble_of(const kit::Json& error);

/// For people: "RateLimited: the endpoint answered 429".
std::string error_text(const kit::Result& result);

}  // namespace reprise::subconscious
