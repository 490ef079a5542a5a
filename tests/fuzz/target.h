// A fuzz target: one question that is asked of any bytes. A crash, an exception that nobody caught,
// a report of a sanitizer, or an expectation that does not hold is an answer.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace reprise::fuzz {

/// kBroken: with a fault built into what is asked, which the target must find. That is how a target
/// shows that it can fail.
enum class Subject { kReal, kBroken };

struct Target {
  std::string_view name;
  /// What mutations put in besides bytes.
  std::span<const std::string_view> words;
  /// Deterministic: the same bytes have the same effect, whatever came before.
  void (*check)(std::string_view input, Subject subject);
};

/// The one target of this program.
extern const Target kTarget;

/// Ends the program by abort(), saying what did not hold.
void expect(bool holds, std::string_view what);
/// The same, showing the two texts that should be equal.
void expect_equal(std::string_view one, std::string_view other, std::string_view what);

}  // namespace reprise::fuzz
