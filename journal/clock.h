// Time enters the program here and nowhere else. Unit: milliseconds since the Unix epoch, UTC.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace reprise {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual int64_t now_ms() = 0;
};

class WallClock final : public Clock {
 public:
  int64_t now_ms() override;
};

/// A clock that stands still until it is told: `--now`, and tests.
class FixedClock final : public Clock {
 public:
  explicit FixedClock(int64_t now_ms) : x_now_ms(now_ms) {}
  int64_t now_ms() override { return x_now_ms; }
  void set(int64_t now_ms) { x_now_ms = now_ms; }
  void advance(int64_t ms) { x_now_ms += ms; }

 private:
  int64_t x_now_ms;
};

/// "2026-11-21T20:15:02.114Z": always UTC, always milliseconds, 24 characters (years 0000 to 9999).
std::string format_time(int64_t ms);

/// Reads exactly what format_time writes, also without the milliseconds or with an offset
/// ("+02:00"); nothing else. nullopt when it is no such time.
std::optional<int64_t> parse_time(std::string_view text);

}  // namespace reprise
