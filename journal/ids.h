// Names of things: run ids, ULIDs, effect ids, and the random bits they are made of.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace reprise {

/// Where random bits come from.
class Random {
 public:
  virtual ~Random() = default;
  virtual uint64_t next() = 0;
};

/// getrandom(2).
class SystemRandom final : public Random {
 public:
  uint64_t next() override;
};

/// Numbers that look random and are always the same: for process:test, and tests of the engine.
class SeededRandom final : public Random {
 public:
  uint64_t next() override {
    return x_state = x_state * 6364136223846793005ULL + 1442695040888963407ULL;
  }

 private:
  uint64_t x_state = 42;
};

/// 26 characters, sorts by time (github.com/ulid/spec): 48 bits of milliseconds, 80 random bits.
std::string make_ulid(int64_t now_ms, Random& random);

/// [A-Za-z0-9][A-Za-z0-9._-]{0,127}
bool valid_run_id(std::string_view text);

/// "t12" is 12. nullopt for anything else (no sign, no leading zero, at most 18 digits).
std::optional<uint64_t> parse_effect_id(std::string_view text);
std::string format_effect_id(uint64_t number);

/// 16 lower-case hex digits.
std::string format_hex64(uint64_t value);
std::optional<uint64_t> parse_hex64(std::string_view text);

}  // namespace reprise
