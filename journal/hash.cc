// The library is compiled into this file, so that no command loads another shared object for it.
#include "journal/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "journal/ids.h"

namespace reprise {

uint64_t hash64(std::string_view bytes, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

std::string hash128_hex(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return format_hex64(hash.high64) + format_hex64(hash.low64);
}

}  // namespace reprise
