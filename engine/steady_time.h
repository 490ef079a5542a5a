// A clock for pauses and deadlines of this process; no time of day.
#pragma once

#include <chrono>
#include <cstdint>

namespace reprise {

/// Milliseconds since some moment; only goes forward, whatever is done to the machine's clock.
inline int64_t steady_ms() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

}  // namespace reprise
