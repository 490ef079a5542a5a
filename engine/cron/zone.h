// Time zones, by cctz in its module (libreprise_zones.so), which is loaded when the first zone that
// is not UTC is looked for (docs/decisions/0029-time-zones.md).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "engine/module.h"

namespace reprise {

/// A stretch of time in which a zone keeps one distance from UTC. Seconds since 1970, UTC.
struct ZoneSpan {
  int64_t from_s = 0;
  int64_t until_s = 0;   ///< where the next one begins
  int64_t offset_s = 0;  ///< local time is UTC plus this
};

/// From the beginning, and to the end, of time.
constexpr int64_t kNeverBefore = INT64_MIN / 4;
constexpr int64_t kNeverAfter = INT64_MAX / 4;

/// A zone, to whoever asks about it: the span that holds this second.
using ZoneSpans = std::function<ZoneSpan(int64_t utc_s)>;

/// "UTC", "Europe/Berlin", as the system's tz database has it ($TZDIR, else /usr/share/zoneinfo).
/// Errors: UNKNOWN_ZONE (exit 2) says what was probably meant; ZONE_MODULE_MISSING (exit 70).
ZoneSpans find_zone(const std::string& name);

/// Where the module is, for who wants to know whether it can be loaded.
ModuleQuery zone_module();

}  // namespace reprise
