// How many lives a property test draws: as many as it likes, or what the environment says.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace reprise::test {

/// The number that the environment variable holds.
inline uint64_t number_from(const char* variable, uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

/// How many seeds unless somebody says: fifty times as many in a nightly run.
inline uint64_t usual_seeds(uint64_t seeds) {
  return std::getenv("REPRISE_NIGHTLY") != nullptr ? 50 * seeds : seeds;
}

/// How many of the seeds of a long sweep: all of them, or every eighth in a sanitized program by
/// day. Orders that are rare fail in the release build, which takes them all; what a sanitizer
/// finds is in single steps, which few seeds make as well.
inline uint64_t swept_seeds(uint64_t seeds) {
#ifdef REPRISE_SANITIZED
  constexpr uint64_t kStride = 8;
  if (std::getenv("REPRISE_NIGHTLY") == nullptr) return (seeds + kStride - 1) / kStride;
#endif
  return seeds;
}

}  // namespace reprise::test
