// The pen of a decision: what is written is folded at once, so that the next thought sees it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/process/process.h"
#include "processes/board/state.h"

namespace reprise::board {

/// The key of a request: who gets its result.
struct Errand {
  std::string verb;  ///< "spawn" or "cancel"
  std::string card;
  uint64_t attempt = 0;
};
/// "spawn:card-3:1"; nullopt when it is none.
std::optional<Errand> parse_errand(const std::string& key);

class Scribe {
 public:
  /// `seq` is that of the activation.
  Scribe(const Board& state, int64_t at_ms, uint64_t seq)
      : x_state(state), x_at_ms(at_ms), x_seq(seq) {}

  /// The board with everything that was written so far. References into it die with the next emit.
  const Board& state() const { return x_state; }
  uint64_t seq() const { return x_seq; }

  void emit(std::string_view type, const Json& payload);
  /// board.card.moved. `more` is merged into its payload.
  void move(const Card& card, Status to, const std::string& by, const Json& more);
  /// A signal for a channel, by an effect that the engine performs.
  void send(const Errand& errand, const std::string& channel, const char* signal,
            const Json& value);
  void halt_cancelled(std::string reason);

  std::vector<Command> take() { return std::move(x_commands); }

 private:
  Board x_state;
  int64_t x_at_ms;
  uint64_t x_seq;
  std::vector<Command> x_commands;
};

}  // namespace reprise::board
