// XXH3 for the module: the only file that knows the library.
#pragma once

#include <cstdint>
#include <string_view>

namespace reprise::script {

struct Digest {
  uint64_t high = 0;
  uint64_t low = 0;
  bool operator==(const Digest&) const = default;
};

uint64_t hash64(std::string_view bytes, uint64_t seed = 0);
Digest hash128(std::string_view bytes);

}  // namespace reprise::script
