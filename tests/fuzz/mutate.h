// Seeded changes of an input: the same seed makes the same one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace reprise::fuzz {

constexpr size_t kLargestInput = size_t{32} << 10U;

/// splitmix64
class Chance {
 public:
  explicit Chance(uint64_t seed) : x_state(seed) {}
  uint64_t next();
  /// Below `end`, which is not 0.
  size_t below(size_t end) { return static_cast<size_t>(next() % end); }

 private:
  uint64_t x_state;
};

/// One to eight changes: bits, bytes, ranges, words, numbers, lines, pieces of `other`.
std::string mutate(std::string_view input, std::string_view other,
                   std::span<const std::string_view> words, uint64_t seed);

}  // namespace reprise::fuzz
