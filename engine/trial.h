// process:test: a whole run in memory, with the real engine, against scripted answers and a clock
// that is moved when nothing else is left to do. Nothing of it remains.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/create.h"
#include "engine/inspect.h"
#include "engine/machine.h"
#include "engine/test_script.h"

namespace reprise {

struct TrialEffect {
  EffectInfo info;
  EffectResult result;
  uint64_t cause = 0;  ///< seq of the activation that asked for it: effects of one were asked for
                       ///< together
};

struct TrialEvent {
  std::string type;
  std::string payload;  ///< JSON
};

struct Trial {
  RunState state;  ///< where it ended, or what it waits for that nobody answers
  EndDetails end;
  std::vector<TrialEffect> effects;  ///< in the order of their requests
  std::vector<TrialEvent> events;
  std::vector<LogLine> log;
  std::vector<std::string> failures;   ///< why the test fails, in words; empty: it passed
  std::vector<size_t> unused_answers;  ///< indexes of answers that were never given
  std::vector<ScriptedSignal> unsent;  ///< signals that the run did not live to see
};

/// `context`'s clock and random source are not used: the same script gives the same trial. Errors:
/// those of create_run (nothing of the file can run) and iterate (SCRIPT_BUDGET).
Trial run_trial(const Context& context, const SourceReader& read, const ProcessChoice& process,
                const Value& inputs, const TestScript& script);

}  // namespace reprise
