// A built-in process that goes anywhere. What it does next follows from a sum of everything that it
// was given, in order: let one activation be lost, doubled, changed, or given out of turn, and all
// that it decides from there on is different.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/process/process.h"

namespace reprise::test {

/// One decision.
struct Move {
  enum class Kind : uint8_t { kAsk, kSleep, kTell, kComplete, kFail };
  Kind kind = Kind::kAsk;
  uint64_t number = 0;         ///< drawn: of the label, the payload, the output
  uint32_t most_attempts = 1;  ///< kAsk
  int64_t sleep_ms = 0;        ///< kSleep
};

/// What it knows; the model has one, too.
struct Roaming {
  uint64_t sum = 7;
  uint64_t seen = 0;   ///< activations
  uint64_t waits = 0;  ///< for so many effects

  void see(const Activation& activation);
  /// After see. Pure; `waits` grows by the requests only when they are recorded.
  std::vector<Move> decide(const Activation& activation) const;
};

/// "ask 17"
std::string label_of(const Move& move);
std::string options_of(const Move& move);

BuiltIn roamer();

}  // namespace reprise::test
