// Changing the course of a run: other code, another try, an earlier point.
#include "cli/commands.h"
#include "cli/tables.h"

namespace reprise {
namespace {

constexpr Flag kPlanOnlyFlag = {"--dry-run", "", "show the plan, record nothing"};
constexpr Flag kYesFlag = {"--yes", "", "do what the plan says"};
constexpr Exit kCourseExits[] = {Exit::kNotFound, Exit::kConflict, Exit::kCorrupt,
                                 Exit::kDiverged, Exit::kLocked,   Exit::kBudget};

constexpr Positional kRunAssignProcessPositionals[] = {
    {"RUN", "the run: its id, a unique prefix of one, a path, or @last; none: see --rules", true}};
constexpr Flag kRunAssignProcessFlags[] = {
    {"--entry", "FILE[#EXPORT]", "the JavaScript process"},
    {"--process", "NAME", "a built-in process instead: checklist"},
    {"--process-id", "ID", "what the process is called; default as the run has it"},
    {"--rules", "newest",
     "give the run the rules that new runs get, alone or with a process; with --home DIR and no "
     "RUN: every open run of that home"},
    kPlanOnlyFlag,
    kYesFlag,
    {"--abandon", "", "cancel at once what the new code has not reached"},
    {"--process-revision", "TEXT", "accepted for babysitter's drivers; has no meaning here"},
};
constexpr Example kRunAssignProcessExamples[] = {
    {"reprise run:assign-process @last --entry notes.js", "give the newest run its process"},
    {"reprise run:assign-process @last --entry fixed.js --dry-run",
     "what fixed.js would make of the run so far"},
    {"reprise run:assign-process @last --rules newest --dry-run",
     "what the newest rules would change for the run"},
};

constexpr Flag kRunRetryFlags[] = {kPlanOnlyFlag};
constexpr Example kRunRetryExamples[] = {
    {"reprise run:retry @last", "the error that failed the run does not count; its effect is open"},
};

constexpr Flag kRunRewindFlags[] = {
    {"--before", "EFFECT", "go back to before this effect (t3, or its key) was asked for"},
    {"--to", "SEQ", "go back to before this record was given to the process"},
    {"--reason", "TEXT", "why; recorded"},
    {"--drop", "SEQ", "take this signal back, too", false, true},
    {"--entry", "FILE[#EXPORT]", "go on with this code, in the same commit"},
    {"--process", "NAME", "only scripts can take over: refused"},
    {"--process-id", "ID", "what that process is called; default as the run has it"},
    kPlanOnlyFlag,
    kYesFlag,
};
constexpr Example kRunRewindExamples[] = {
    {"reprise run:rewind @last --before t1 --dry-run", "what would be void"},
    {"reprise run:rewind @last --before t1 --reason 'wrong branch' --yes", "ask for t1 anew"},
};

constexpr CommandSpec kCourseTable[] = {
    {.name = "run:assign-process",
     .summary = "Give a run its process, or other code",
     .description =
         "A bare run gets its process at once. For a run with a history the new code is given all "
         "that happened so far, in memory: the plan says which recorded requests it keeps (same "
         "task, label, key and arguments), which it asks for anew, and which it has not reached. "
         "--yes records the plan, and every later replay follows it; without --yes the plan is "
         "printed and the exit is 2. A failed run goes on. --rules newest gives the run, also a "
         "built-in one, what a process can observe since a later version: a script has it for its "
         "whole history, with the same code where none is named; a built-in process from then on.",
     .positionals = kRunAssignProcessPositionals,
     .flags = kRunAssignProcessFlags,
     .examples = kRunAssignProcessExamples,
     .exits = kCourseExits,
     .writes = true,
     .run = run_assign_process,
     .text = run_assign_process_text},
    {.name = "run:retry",
     .summary = "Take back the error that failed a run, and try once more",
     .description =
         "Refused when it was not an error result that failed the run: the same code would fail "
         "the same way. run:assign-process and run:rewind help then.",
     .positionals = kRunPositionals,
     .flags = kRunRetryFlags,
     .examples = kRunRetryExamples,
     .exits = kCourseExits,
     .writes = true,
     .run = run_retry,
     .text = run_retry_text},
    {.name = "run:rewind",
     .summary = "Take back what a run decided from some point on",
     .description =
         "Nothing is deleted: the journal records what no longer counts. Signals stay, and results "
         "of requests that stand. The plan names what was performed already and cannot be unsent; "
         "without --yes it is printed and the exit is 2.",
     .positionals = kRunPositionals,
     .flags = kRunRewindFlags,
     .examples = kRunRewindExamples,
     .exits = kCourseExits,
     .writes = true,
     .run = run_rewind,
     .text = run_rewind_text},
};

}  // namespace

std::span<const CommandSpec> course_table() { return kCourseTable; }

}  // namespace reprise
