// What is left of the time that deliveries have in all.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace reprise {

/// So long the hooks of one command are told of what it recorded, and each hook in one beat: a
/// receiver that does not answer costs no more, whatever its own timeout is.
constexpr int64_t kMostDeliveryMs = 10'000;

class Deadline {
 public:
  explicit Deadline(int64_t most_ms) : x_most_ms(most_ms) {}

  int64_t left_ms() const {
    const auto passed = std::chrono::steady_clock::now() - x_start;
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(passed).count();
    return std::max<int64_t>(x_most_ms - ms, 0);
  }

 private:
  int64_t x_most_ms;
  std::chrono::steady_clock::time_point x_start = std::chrono::steady_clock::now();
};

}  // namespace reprise
