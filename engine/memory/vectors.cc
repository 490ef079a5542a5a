#include "engine/memory/vectors.h"

#include <algorithm>
#include <cmath>

namespace reprise {

namespace {

constexpr double kScale = 127;
constexpr int kZero = 128;

int digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

int dimension(std::string_view packed, size_t at) {
  return digit(packed[at]) * 16 + digit(packed[at + 1]) - kZero;
}

}  // namespace

// The largest dimension is given the whole scale: vectors have many, and each is small.
std::optional<std::string> pack_vector(const std::vector<double>& vector) {
  double largest = 0;
  for (const double one : vector) {
    if (!std::isfinite(one)) return std::nullopt;
    largest = std::max(largest, std::abs(one));
  }
  if (largest == 0 || vector.size() > kLongestVector) return std::nullopt;
  std::string packed;
  packed.reserve(2 * vector.size());
  for (const double one : vector) {
    const auto byte = static_cast<unsigned>(std::lround(one / largest * kScale) + kZero);
    packed += "0123456789abcdef"[byte / 16];
    packed += "0123456789abcdef"[byte % 16];
  }
  return packed;
}

double likeness(std::string_view packed, std::string_view other) {
  if (packed.size() != other.size() || packed.empty()) return 0;
  int64_t product = 0;
  int64_t square = 0;
  int64_t other_square = 0;
  for (size_t at = 0; at + 1 < packed.size(); at += 2) {
    const int64_t one = dimension(packed, at);
    const int64_t two = dimension(other, at);
    product += one * two;
    square += one * one;
    other_square += two * two;
  }
  if (product <= 0) return 0;
  return std::min(1.0, static_cast<double>(product) / std::sqrt(static_cast<double>(square) *
                                                                static_cast<double>(other_square)));
}

}  // namespace reprise
