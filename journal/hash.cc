// The library is compiled into this file, so that no command loads another shared object for it.
#include "journal/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "journal/ids.h"

namespace reprise {

uint64_t hash64(std::string_view bytes, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

namespace {

std::string hex_of(const XXH128_hash_t& hash) {
  return format_hex64(hash.high64) + format_hex64(hash.low64);
}

}  // namespace

std::string hash128_hex(std::string_view bytes) {
  return hex_of(XXH3_128bits(bytes.data(), bytes.size()));
}

struct Hash128::State {
  XXH3_state_t xxh;
};

Hash128::Hash128() : x_state(std::make_unique<State>()) { XXH3_128bits_reset(&x_state->xxh); }
Hash128::~Hash128() = default;
void Hash128::add(std::string_view bytes) {
  XXH3_128bits_update(&x_state->xxh, bytes.data(), bytes.size());
}
std::string Hash128::hex() const { return hex_of(XXH3_128bits_digest(&x_state->xxh)); }

}  // namespace reprise
