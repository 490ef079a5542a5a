// XXH3 behind two functions, so that nothing else knows the library
// (docs/decisions/0003-sums.md).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace reprise {

/// XXH3-64 with a seed; chained sums give the sum before as the seed.
uint64_t hash64(std::string_view bytes, uint64_t seed = 0);

/// XXH3-128, 32 lower-case hex digits.
std::string hash128_hex(std::string_view bytes);

/// The same of bytes that come in pieces.
class Hash128 {
 public:
  Hash128();
  ~Hash128();
  Hash128(const Hash128&) = delete;
  Hash128& operator=(const Hash128&) = delete;
  void add(std::string_view bytes);
  std::string hex() const;

 private:
  struct State;
  std::unique_ptr<State> x_state;
};

}  // namespace reprise
