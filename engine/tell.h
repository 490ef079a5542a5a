// Telling a built-in process something, and what it makes of it: signals that the process itself
// judges before they are recorded, and the iteration that follows, in one commit.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/context.h"
#include "engine/iterate.h"
#include "engine/signal.h"
#include "journal/files.h"

namespace reprise {

/// How far the process goes on.
enum class After : uint8_t {
  kNothing,  ///< the signals are recorded; the run is ready
  kIterate,  ///< as run:iterate
};

struct Told {
  std::vector<Signalled> signals;  ///< one for each; their `state` is left empty
  Iteration iteration;             ///< without activations after kNothing
  std::string answer;              ///< to the question, afterwards; JSON
};

/// All of the signals or none. One whose key is recorded already changes nothing. `question` is
/// what the process is asked afterwards (Decider::answer), under the same lock; empty: nothing. A
/// paused run records and does not go on. Errors: INVALID_SIGNAL as send_signal; what the process
/// has against a signal (exit 2, 3, 4 or 13); RUN_ENDED (exit 4) for a run that has ended; those of
/// iterate. On an error nothing is recorded.
Told tell(Dir& run, const Context& context, const std::vector<Signal>& signals, After after,
          std::string_view question);

/// What tell would have against the signals as the run stands now, without a lock. What
/// is recorded and waits for an iterate does not count. Errors: those of tell.
void check_signals(Dir& run, const Context& context, const std::vector<Signal>& signals);

}  // namespace reprise
