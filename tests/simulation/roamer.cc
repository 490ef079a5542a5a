#include "tests/simulation/roamer.h"

#include "journal/hash.h"
#include "journal/json_reader.h"
#include "journal/value.h"
#include "tests/engine/model_program.h"

namespace reprise::test {

namespace {

constexpr uint64_t kLongLife = 14;  ///< activations, after which it comes to an end

/// What of a result is its poster's own; empty for what the engine says.
std::string_view own_part_of(std::string_view text) {
  const size_t begin = text.find("nonce ");
  return begin == std::string_view::npos ? "" : text.substr(begin, text.find('"', begin) - begin);
}

Command command_of(const Move& move, int64_t now_ms) {
  Command command;
  switch (move.kind) {
    case Move::Kind::kAsk:
    case Move::Kind::kSleep:
      command.task = "roam";
      command.effect_kind = move.kind == Move::Kind::kAsk ? "agent" : "sleep";
      command.label = label_of(move);
      command.args = "{}";
      command.definition = "{}";
      if (move.kind == Move::Kind::kSleep) command.due_ms = now_ms + move.sleep_ms;
      command.options = options_of(move);
      break;
    case Move::Kind::kTell:
      command.kind = Command::Kind::kEmit;
      command.name = "told";
      command.json = std::to_string(move.number);
      break;
    case Move::Kind::kComplete:
      command.kind = Command::Kind::kComplete;
      command.json = std::to_string(move.number);
      break;
    case Move::Kind::kFail:
      command.kind = Command::Kind::kFail;
      command.json = R"({"name":"Lost","message":"no way"})";
      break;
  }
  return command;
}

class Roamer final : public Decider {
 public:
  void evolve(const Activation& activation) override { x_state.see(activation); }
  void evolve(const CommandRecord& command) override {
    x_state.waits += command.kind == CommandRecord::Kind::kRequested ? 1 : 0;
  }
  std::vector<Command> decide(const Activation& activation) const override {
    std::vector<Command> commands;
    for (const auto& move : x_state.decide(activation)) {
      commands.push_back(command_of(move, activation.at_ms));
    }
    return commands;
  }
  std::string snapshot() const override {
    return '[' + quote(std::to_string(x_state.sum)) + ',' + quote(std::to_string(x_state.seen)) +
           ',' + quote(std::to_string(x_state.waits)) + ']';
  }
  bool restore(std::string_view snapshot) override {
    const auto parts = array_elements(snapshot);
    x_state.sum = std::stoull(unquote(parts.at(0)));
    x_state.seen = std::stoull(unquote(parts.at(1)));
    x_state.waits = std::stoull(unquote(parts.at(2)));
    return true;
  }

 private:
  Roaming x_state;
};

}  // namespace

void Roaming::see(const Activation& activation) {
  const bool settles = activation.kind == Activation::Kind::kResolved ||
                       activation.kind == Activation::Kind::kCancelled;
  if (settles) --waits;
  ++seen;
  std::string text = std::to_string(static_cast<int>(activation.kind)) + '|' +
                     std::to_string(activation.at_ms) + '|' + std::to_string(activation.effect) +
                     '|' + (activation.ok ? "ok" : "") + '|' + std::to_string(activation.rules) +
                     '|';
  text.append(own_part_of(activation.value)).append(own_part_of(activation.error));
  sum = hash64(text, sum);
}

std::vector<Move> Roaming::decide(const Activation& activation) const {
  Dice dice(sum);
  const bool failed = activation.kind == Activation::Kind::kResolved && !activation.ok;
  if (dice.chance(failed ? 30 : 2)) return {{.kind = Move::Kind::kFail}};
  if (seen > kLongLife && dice.chance(40)) {
    return {{.kind = Move::Kind::kComplete, .number = dice.below(1000)}};
  }
  std::vector<Move> moves;
  uint64_t asked = 0;
  for (auto left = dice.below(4); left > 0 || waits + asked == 0; left -= left > 0 ? 1 : 0) {
    Move move{.number = dice.below(1000)};
    move.kind =
        dice.one_of({Move::Kind::kAsk, Move::Kind::kAsk, Move::Kind::kSleep, Move::Kind::kTell});
    if (move.kind != Move::Kind::kTell && waits + asked > 5) continue;
    move.most_attempts = dice.one_of({1U, 1U, 2U, 3U});
    move.sleep_ms = dice.one_of({0, 5, 20, 100});
    asked += move.kind == Move::Kind::kTell ? 0 : 1;
    moves.push_back(move);
  }
  if (dice.chance(4)) moves.push_back({.kind = Move::Kind::kComplete, .number = dice.below(1000)});
  return moves;
}

std::string label_of(const Move& move) {
  return (move.kind == Move::Kind::kSleep ? "sleep " : "ask ") + std::to_string(move.number);
}

std::string options_of(const Move& move) {
  if (move.kind != Move::Kind::kAsk || move.most_attempts == 1) return {};
  return R"({"retry":{"maxAttempts":)" + std::to_string(move.most_attempts) +
         R"(,"backoffMs":0,"factor":1,"maxBackoffMs":0}})";
}

BuiltIn roamer() {
  return {"roamer", "", [](std::string_view) { return std::string(); },
          [](const Inputs&) -> std::unique_ptr<Decider> { return std::make_unique<Roamer>(); }};
}

}  // namespace reprise::test
