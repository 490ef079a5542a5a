// run:retry and run:rewind: going on from an earlier point. Nothing is deleted; a RUN_REOPENED says
// what no longer counts (replay.md, section 5).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/assign.h"
#include "engine/effect_selector.h"

namespace reprise {

struct Reopened {
  bool recorded = false;
  uint64_t activation = 0;  ///< what is decided from here on is decided anew
  uint64_t effect = 0;      ///< retry: that is open again
  uint32_t attempt = 0;     ///< retry: its next
  RunState state;
  std::vector<std::string> notes;
};

/// The error result that failed the run is taken back and its effect open again, in a new attempt.
/// Repeated before that attempt has its result, it changes nothing and succeeds.
/// Errors RUN_NOT_FAILED and RETRY_USELESS (exit 4: it was not an error result that the process let
/// pass, so the same code would fail the same way).
Reopened retry_run(Dir& run, const Context& context, bool dry_run);

struct RewindRequest {
  std::optional<EffectSelector> before;  ///< back to before this effect was asked for, by the
                                         ///< code that came to it last
  uint64_t to = 0;                       ///< or to before this activation was given
  std::string reason;
  std::vector<uint64_t> dropped;         ///< seqs of signals that are taken back, too
  std::optional<ProcessChoice> process;  ///< and go on with this code
  bool yes = false;
  bool dry_run = false;
};

/// What a rewind takes back.
struct RewindPlan {
  uint64_t activation = 0;
  std::vector<PlannedItem> requests;  ///< open or settled; the settled and claimed ones were or
                                      ///< are being performed, and cannot be unsent
  std::vector<PlannedItem> events;    ///< were seen by others, and cannot be unsent
  std::vector<uint64_t> assignments;  ///< of code, that are undone
  std::string end;                    ///< "RUN_COMPLETED"; empty when there is none
  uint64_t kept_signals = 0;          ///< from there on, that will be given again
  uint64_t kept_results = 0;
  uint64_t kept_cancel = 0;         ///< a run:cancel that stays, and will be given again
  std::optional<PlanSummary> code;  ///< with new code: what that makes of what is left
};

struct Rewound {
  RewindPlan plan;
  bool recorded = false;
  bool repeated = false;  ///< the run stands there already, by the same rewind: nothing to do
  RunState state;
  std::vector<std::string> notes;
};

/// Errors SEQ_NOT_FOUND (exit 3), REWIND_REFUSED (exit 4: that record is no activation, is void
/// itself, was never applied), NOT_DROPPABLE (exit 2: it is no signal from there on),
/// EFFECT_NOT_FOUND. Without `yes` it only plans.
Rewound rewind_run(Dir& run, const Context& context, const SourceReader& read,
                   const RewindRequest& request);

}  // namespace reprise
