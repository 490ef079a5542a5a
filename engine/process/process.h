// What a process is to the engine: a deterministic machine that is given activations and answers
// with commands. This folder is all that processes/ may include of the engine. Nothing here does
// I/O or reads a clock.
//
// A script (JavaScript) is replayed by running it again:   apply(activation) -> commands
// A built-in process is folded:                            evolve(record); decide(activation) ->
// commands
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/process/rules.h"

namespace reprise {

/// Something new for the process. Views are valid during the call that is given it.
struct Activation {
  enum class Kind : uint8_t {
    kStart,      ///< RUN_CREATED with a process, or the PROCESS_ASSIGNED of a bare run
    kResolved,   ///< an effect has its result
    kCancelled,  ///< an effect was cancelled from outside
    kSignal,
    kCancelRun,  ///< run:cancel: all that was open is cancelled, the process may clean up and end
  };
  Kind kind = Kind::kStart;
  uint64_t seq = 0;
  int64_t at_ms = 0;        ///< the process's clock during this activation
  uint32_t rules = 0;       ///< that the run had when this was recorded: see rules.h
  std::string_view inputs;  ///< kStart: the inputs, JSON
  uint64_t effect = 0;      ///< kResolved, kCancelled
  bool ok = false;          ///< kResolved
  std::string_view value;   ///< kResolved ok: JSON; kSignal: the signal's value, JSON;
                            ///< kCancelRun: {"reason"}
  std::string_view
      error;  ///< kResolved not ok: {"name","message","stack"?,"data"?}; kCancelled: {"reason"?}
  std::string_view name;  ///< kSignal; kStart: the run's id
};

/// Something the process decided. Only the fields of its kind are set.
struct Command {
  enum class Kind : uint8_t { kRequest, kEmit, kComplete, kFail, kHalt, kLog, kWithdraw };
  Kind kind = Kind::kRequest;

  // kRequest
  /// A script numbers its calls itself; a built-in process leaves 0 and the engine numbers. Of
  /// kWithdraw: what the process waits for no longer.
  uint64_t effect = 0;
  std::string task;         ///< task id
  std::string effect_kind;  ///< "shell", "agent", "breakpoint", "sleep", ...
  std::string label;        ///< what people read; compared at replay
  std::string key;          ///< the author's key, or empty
  std::string args;         ///< JSON, members sorted: compared at replay by digest
  std::string
      definition;  ///< the built task, a JSON object for whoever performs the effect; not compared
  int64_t due_ms = 0;  ///< sleeps, and breakpoints that expire: when the engine resolves it; else 0
  /// What the author asked for besides the work, normalised: see engine/task_options.h. Empty when
  /// there is nothing. Recorded, not compared at replay.
  std::string options;

  // kEmit: name is the event's type. kHalt: name is the reason. kLog: name is the label
  std::string name;
  // kEmit: payload. kComplete: output, "null" for undefined. kHalt: payload or empty. kLog: a JSON
  // string. kFail: {"name","message","stack"?,"cause"?,"file"?,"line"?,"column"?}
  std::string json;
  bool cancelled = false;  ///< kHalt: the process let a run:cancel end it
  /// kRequest, kEmit: the record where the story began that this is a part of, mostly a signal; 0:
  /// its cause.
  uint64_t trace = 0;
};

/// A command as the journal holds it, for folding.
struct CommandRecord {
  enum class Kind : uint8_t { kRequested, kEmitted, kCompleted, kFailed, kHalted };
  Kind kind = Kind::kRequested;
  uint64_t seq = 0;
  uint64_t cause = 0;
  uint64_t effect = 0;  ///< kRequested
  /// kRequested, kEmitted: new code came to what older code had decided; not done a second time.
  bool adopts = false;
  uint64_t adopted_event = 0;  ///< kEmitted that adopts: seq of that event
  std::string_view data;       ///< the record's data, JSON: see docs/journal-format.md
  /// kEmitted, for a built-in process: the payload, JSON, wherever the record keeps it.
  std::string_view payload;
};

/// Why a signal should not be recorded.
struct Refusal {
  enum class Kind : uint8_t { kInvalid, kNotFound, kConflict, kForbidden };
  Kind kind = Kind::kInvalid;
  std::string code;     ///< "WORKER_FINISHED"
  std::string message;  ///< what is wrong
  std::string hint;     ///< what to do instead; or empty
};

/// The inputs of the run, which a decider can look at whenever it likes: what stands in them need
/// not be kept in its state. Read when they are first asked for.
class Inputs {
 public:
  explicit Inputs(std::function<std::string()> load) : x_load(std::move(load)) {}
  Inputs(const Inputs&) = delete;
  Inputs& operator=(const Inputs&) = delete;

  /// JSON, the same bytes in every command: a place in it can be kept. Valid as long as this.
  std::string_view text() const {
    if (x_load) x_text = std::exchange(x_load, nullptr)();
    return x_text;
  }

 private:
  mutable std::function<std::string()> x_load;
  mutable std::string x_text;
};

/// A built-in process: state, evolve, decide. Constructed empty; then restored or folded from the
/// first record.
class Decider {
 public:
  virtual ~Decider() = default;

  /// Folds an activation, live or recorded, before its commands.
  virtual void evolve(const Activation& activation) = 0;
  /// Folds a command record, its own decisions included, in causal order.
  virtual void evolve(const CommandRecord& command) = 0;
  /// The commands that a live activation causes, after evolve(activation). Pure. A kWithdraw closes
  /// an effect whose result is not wanted any more; its record is not folded.
  virtual std::vector<Command> decide(const Activation& activation) const = 0;

  /// What is wrong with a signal (its kind, name, value and at_ms are set) that somebody wants to
  /// send; asked before it is recorded. One that was recorded all the same must do no harm.
  virtual std::optional<Refusal> check(const Activation&) const { return std::nullopt; }
  /// What the process can be asked: JSON for JSON, as its header says; "null" for what it does not
  /// know. Pure.
  virtual std::string answer(std::string_view) const { return "null"; }
  /// Called before the first record: this decider is there to be asked about all of its past, and
  /// is to forget nothing. It decides nothing, and no snapshot is taken.
  virtual void keep_all() {}

  /// The whole state as JSON; restore(snapshot()) gives an equal decider. Both happen in every few
  /// commands: a state that grows should hold what is not needed for every decision as text that
  /// is only passed on.
  virtual std::string snapshot() const = 0;
  /// False when the snapshot is not of this version: the caller folds from the start instead.
  virtual bool restore(std::string_view snapshot) = 0;
};

/// A built-in process as the catalogue names it. `check_inputs` returns what is wrong with the
/// inputs, or empty. The inputs given to `make` outlive the decider.
struct BuiltIn {
  std::string_view name;
  std::string_view summary;
  std::string (*check_inputs)(std::string_view inputs_json);
  std::unique_ptr<Decider> (*make)(const Inputs& inputs);
};

}  // namespace reprise
