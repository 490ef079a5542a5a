// The random numbers of a run: xoshiro256** seeded from the recorded seed. Every stream is a pure
// function of the seed and its name, so a replay draws the same numbers on any machine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace reprise::script {

class RandomStream {
 public:
  /// Streams of different names are independent. The run's own stream has the empty name.
  RandomStream(const uint64_t (&seed)[2], std::string_view name);

  uint64_t next();
  /// Uniform in [0, 1), 53 bits.
  double next_double();
  /// A version 4 UUID in lower case.
  std::string next_uuid();

 private:
  uint64_t state_[4];
};

}  // namespace reprise::script
