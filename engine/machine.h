// A process as replay drives it: a script that is run again, or a built-in decider that is folded.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/process/process.h"

namespace reprise {

/// What a script printed with ctx.log during a live activation.
struct LogLine {
  int64_t at_ms = 0;
  std::string label;
  std::string message;  ///< JSON
};

class Machine {
 public:
  virtual ~Machine() = default;

  /// Gives a recorded activation, which must cause exactly these commands, in this order.
  /// Error DIVERGED, exit 6, names the first that differs.
  /// `next_effect` is the lowest number that a new call may take, 0 for no demand.
  virtual void replay(const Activation& activation, std::span<const CommandRecord> commands,
                      uint64_t next_effect) = 0;

  /// Gives an activation of a history that other code decided, and returns what this one asks for:
  /// see plan.h. To be told by adopt which of the calls are effects that exist already.
  virtual std::vector<Command> repeat(const Activation& activation, uint64_t next_effect) = 0;

  /// The call with this number is that effect: its result comes under the effect's number.
  virtual void adopt(uint64_t call, uint64_t effect) = 0;

  /// Called between the last replay and the first advance.
  virtual void begin_live() = 0;
  /// Called after that when others went on with the run, and so many activations are to be replayed
  /// before the next advance.
  virtual void begin_replay(size_t activations) = 0;

  /// Gives a live activation and returns what it causes: requests, events and at most one end; when
  /// the last is kFail it is the only one. `next_effect` is the lowest number that no effect of the
  /// journal has.
  virtual std::vector<Command> advance(const Activation& activation, uint64_t next_effect) = 0;

  /// Tells how a command of advance was recorded.
  virtual void recorded(const CommandRecord& command) = 0;

  /// Whether it can be folded from a snapshot; else it is always replayed from its first record.
  virtual bool folds() const = 0;
  /// To fold from later; empty when it does not fold.
  virtual std::string snapshot() const = 0;

  /// What a built-in process has against a signal, before it is recorded.
  virtual std::optional<Refusal> check(const Activation& signal) const = 0;
  /// What a built-in process answers, JSON; "null" of a script.
  virtual std::string answer(std::string_view question) const = 0;

  /// Effects that the process waits for no longer, of all activations so far; taken out.
  virtual std::set<uint64_t> take_withdrawn() = 0;

  /// The names of the signals that it waits for, a JSON array; "[]" when nobody can say.
  virtual std::string awaited() const = 0;

  /// What was logged by live activations, in order; taken out.
  virtual std::vector<LogLine> take_log() = 0;
};

}  // namespace reprise
