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

}  // namespace reprise::test
