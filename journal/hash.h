// XXH3 behind two functions, so that nothing else knows the library
// (docs/decisions/0003-sums.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace reprise {

/// XXH3-64 with a seed; chained sums give the sum before as the seed.
uint64_t hash64(std::string_view bytes, uint64_t seed = 0);

/// XXH3-128, 32 lower-case hex digits.
std::string hash128_hex(std::string_view bytes);

}  // namespace reprise
