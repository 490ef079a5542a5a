// run:assign-process: giving a bare run its process, giving a run with a history to new code, and
// giving a run newer rules.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/chosen.h"
#include "engine/commit.h"
#include "engine/plan.h"

namespace reprise {

struct AssignRequest {
  ProcessChoice process;      ///< none: the one that the run has
  bool newest_rules = false;  ///< else the run keeps its rules
  bool abandon = false;       ///< cancel at once what the new code has not asked for
  bool yes = false;           ///< a run with a history is given to new code only when this is said
  bool dry_run = false;
  /// Record nothing where the code decides anything else than what is recorded.
  bool only_same = false;
};

/// An effect, an event or an end in a plan, for people.
struct PlannedItem {
  std::string words;     ///< "request t3 of task \"build\" (label ...)": see describe()
  uint64_t effect = 0;   ///< requests
  bool claimed = false;  ///< somebody is at work on it
  bool settled = false;  ///< it has its result
};

/// What new code makes of a history.
struct PlanSummary {
  std::vector<PlannedItem> kept;
  std::vector<PlannedItem> added;    ///< asked for anew
  std::vector<PlannedItem> reserve;  ///< recorded, and not reached yet by the new code
  bool abandons = false;             ///< the reserve is cancelled at once
  std::string end;                   ///< how the new code ends over the history; empty: it goes on
  uint64_t ended_at = 0;             ///< at which activation
  /// Nothing is added, nothing is left, nothing ends: the new code decides what the old one did.
  bool same() const { return added.empty() && reserve.empty() && end.empty(); }
};
PlanSummary summarize(const Plan& plan, const OpenRun& open, JsonReader& reader);

struct AssignedProcess {
  std::string process_id;
  std::string entry;
  bool assigned = false;  ///< false: the run had this very process already, or no --yes
  bool proposed = false;  ///< --yes would change something
  uint32_t rules_before = 0;
  uint32_t rules = 0;
  std::optional<PlanSummary> plan;  ///< of a run with a history
  std::vector<std::string> notes;   ///< what write_derived says
};

/// What a built-in process decided is folded, not replayed: it is given newer rules for what is
/// recorded from then on, and no other code. Errors RUN_ENDED (exit 4) for a completed, halted or
/// cancelled run; PROCESS_BUILT_IN (exit 4) when one of two different programs is built in.
AssignedProcess assign_process(Dir& run, const Context& context, const SourceReader& read,
                               const AssignRequest& request);

/// Finds other code fit for a run that exists: with its inputs and identity, and under its process
/// id unless the choice says another; a choice of none is the code that the run has. Errors: those
/// of choose_process and read_pinned.
ChosenProcess choose_for_run(Dir& run, OpenRun& open, const Context& context,
                             const SourceReader& read, ProcessChoice process, uint32_t rules,
                             int64_t at_ms);

/// Runs the chosen code over the history of `open`, which may be one that a record of the same
/// commit makes; over the activations before the record `until`.
Plan plan_assignment(Dir& run, OpenRun& open, const Context& context, const ChosenProcess& chosen,
                     int64_t at_ms, uint64_t until);

/// Adds the assignment and what the new code asks for to a commit, and writes its sources. The
/// assignment is the record `seq`.
void add_assignment(Dir& run, OpenRun& open, const Context& context, ChosenProcess chosen,
                    Plan plan, bool abandon, uint64_t seq, Commit& commit);

/// After a commit that changed the meaning of earlier records: folds the journal anew and writes
/// everything that is derived. When that fails, the commit is durable all the same: see
/// write_derived.
void refresh_rewritten(Dir& run, OpenRun& open, std::vector<std::string>& notes);

}  // namespace reprise
