// What a board can be told: each signal is judged by check, and done by apply.
#pragma once

#include <optional>
#include <string_view>

#include "processes/board/scribe.h"

namespace reprise::board {

struct SignalSpec {
  std::string_view name;
  std::optional<Refusal> (*check)(const Board& board, const Json& value);
  /// Of a value that check has nothing against.
  void (*apply)(Scribe& scribe, const Json& value);
};

/// nullptr when there is none of that name.
const SignalSpec* find_signal(std::string_view name);

}  // namespace reprise::board
