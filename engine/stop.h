// Stopping from outside: one effect (task:cancel), or the run: for a while (run:pause), by asking
// its process (run:cancel), or at once (run:halt).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/context.h"
#include "engine/effect_selector.h"
#include "engine/run_state.h"
#include "journal/files.h"

namespace reprise {

/// The name that a cancellation has among the signals. Users' own names never begin with
/// "reprise.".
constexpr std::string_view kCancelSignal = "reprise.cancel";

struct Stopped {
  bool recorded = false;  ///< false: it was so before (or a dry run)
  int64_t at_ms = 0;      ///< of the record; 0 when it was so before
  RunState state;
  std::vector<std::string> notes;  ///< derived files that could not be written
};

/// The effect will have no result; the process is given an EffectCancelledError at its next
/// iterate. Cancelling it again is success. Errors: EFFECT_NOT_FOUND (exit 3), EFFECT_CONFLICT
/// (exit 4) when it has a result, those of open_run.
Stopped cancel_effect(Dir& run, const Context& context, const EffectSelector& effect,
                      const std::string& reason, bool dry_run);

/// Ends the run as halted, without asking its process: what was not given to it stays so, open
/// effects are abandoned. Halting a halted run is success. Error RUN_ENDED (exit 4) when it
/// completed; a failed run can be halted.
Stopped halt_run(Dir& run, const Context& context, const std::string& reason, bool dry_run);

/// Closes everything that is open and tells the process at the next iterate, which may clean up and
/// end. A run that failed, has no process or was never iterated is ended at once. Success that
/// changes nothing: for a run that is being cancelled, or was. Error RUN_ENDED (exit 4) when it
/// completed or was halted.
Stopped cancel_run(Dir& run, const Context& context, const std::string& reason, bool dry_run);

/// Nothing new starts in a paused run until it is resumed; posts and signals are taken. Pausing a
/// paused run and resuming one that is not are success. Error RUN_ENDED (exit 4).
Stopped pause_run(Dir& run, const Context& context, const std::string& reason, bool dry_run);
Stopped resume_run(Dir& run, const Context& context, const std::string& reason, bool dry_run);

/// What keeps a run from going on.
struct Rest {
  std::string status;   ///< "paused", "halted", "failed", ...
  std::string command;  ///< what helps: "run:resume RUN"
};
/// nullopt: nothing does.
std::optional<Rest> rest_of(const RunState& state);

}  // namespace reprise
