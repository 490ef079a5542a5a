// How long to wait before a service is asked again.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace reprise {

struct Backoff {
  uint32_t attempts = 4;  ///< requests in all
  int64_t first_ms = 1000;
  int64_t longest_ms = 30'000;
};

/// The pause behind request `done` (1 or more): first_ms, doubled each time, at most longest_ms,
/// and up to a quarter shorter, by `seed`, so that those who failed together do not return
/// together.
int64_t backoff_ms(const Backoff& backoff, uint32_t done, std::string_view seed);

/// The Retry-After of an answer, in milliseconds from now: seconds, or a date as HTTP writes it
/// ("Sun, 06 Nov 1994 08:49:37 GMT"); past dates are 0. nullopt when it is neither.
std::optional<int64_t> parse_retry_after(std::string_view text, int64_t now_ms);

}  // namespace reprise
