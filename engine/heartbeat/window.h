// Intervals that all begin at the same times, whoever looks: what is done once in each of them is
// named by its beginning.
#pragma once

#include <cstdint>

namespace reprise {

/// The beginning of the interval that a time is in.
inline int64_t window_of(int64_t now_ms, int64_t interval_ms) {
  return now_ms - now_ms % interval_ms;
}

}  // namespace reprise
