#include "processes/script/random.h"

#include <bit>

#include "processes/script/hash.h"

namespace reprise::script {

namespace {

void append_bytes(std::string& out, uint64_t word) {
  for (int shift = 0; shift < 64; shift += 8) out += static_cast<char>((word >> shift) & 0xff);
}

}  // namespace

RandomStream::RandomStream(const uint64_t (&seed)[2], std::string_view name) {
  std::string bytes;
  append_bytes(bytes, seed[0]);
  append_bytes(bytes, seed[1]);
  bytes += name;
  for (uint64_t i = 0; i < 4; ++i) state_[i] = hash64(bytes, i + 1);
}

uint64_t RandomStream::next() {
  uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double RandomStream::next_double() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

std::string RandomStream::next_uuid() {
  uint64_t words[2] = {next(), next()};
  words[0] = (words[0] & ~0xf000ULL) | 0x4000ULL;
  words[1] = (words[1] & ~(3ULL << 62)) | (2ULL << 62);
  std::string out;
  for (int digit = 0; digit < 32; ++digit) {
    if (digit == 8 || digit == 12 || digit == 16 || digit == 20) out += '-';
    out += "0123456789abcdef"[(words[digit / 16] >> (60 - 4 * (digit % 16))) & 0xf];
  }
  return out;
}

}  // namespace reprise::script
