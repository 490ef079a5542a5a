#include "cli/commands.h"
#include "cli/creation.h"
#include "cli/tables.h"

namespace reprise {
namespace {

constexpr Flag kRunCreateFlags[] = {
    kProcessIdFlag,
    {"--entry", "FILE[#EXPORT]", "a JavaScript process; the export is `process` by default"},
    {"--process", "NAME", "a built-in process instead: checklist"},
    {"--input", "K=V", "one member of the inputs; V is JSON if it reads as JSON, else a string",
     false, true},
    {"--inputs", "FILE|-", "the inputs as one JSON document; --input adds to it"},
    kLabelFlag,
    kRunIdFlag,
    kIfAbsentFlag,
    kSimulatedFlag,
    kAutodriveFlag,
    {"--dry-run", "", "check everything, create nothing"},
    kRequestFlag,
    {"--prompt", "TEXT", "kept as a label of that name"},
    {"--harness", "NAME", "kept as a label of that name"},
    {"--process-revision", "TEXT", "kept as a label of that name"},
    {"--session-id", "ID", "kept as a label of that name"},
    {"--state-dir", "DIR", "accepted for babysitter's drivers; has no meaning here"},
    {"--max-iterations", "N", "accepted for babysitter's drivers; has no meaning here"},
    {"--non-interactive", "", "accepted for babysitter's drivers; has no meaning here"},
};
constexpr Example kRunCreateExamples[] = {
    {"reprise run:create --process-id notes --entry notes.js --input since=v1.2", "a script"},
    {"reprise run:create --process checklist --inputs steps.json --label team=web",
     "a built-in process"},
    {"reprise run:create --run-id nightly-0412 --if-absent --entry nightly.js",
     "once, however often it is said"},
};
constexpr Exit kRunCreateExits[] = {Exit::kConflict, Exit::kBudget};

constexpr Positional kRunSignalPositionals[] = {
    kRunPositional, {"NAME", "the signal's name: what the process awaits with ctx.signal"}};
constexpr Flag kRunSignalFlags[] = {
    {"--value", "FILE|-", "what the process is given, as JSON; default null"},
    {"--value-inline", "JSON", "the value itself"},
    {"--key", "KEY", "any repeat of this signal, told by the key, changes nothing"},
    kDryRunFlag,
};
constexpr Example kRunSignalExamples[] = {
    {"reprise run:signal @last stop", "a signal without a value"},
    {"reprise run:signal @last message --value-inline '{\"text\":\"hi\"}' --key mail-17",
     "once, however often it is sent"},
};

constexpr Flag kRunIterateFlags[] = {
    {"--exit-status", "", "exit 10 when the run waits for people or tools, 11 when only for time"},
    {"--children", "", "first iterate the run's child runs, and theirs, that have something new"},
    {"--iteration", "N", "put into the document as \"iteration\", for a driver that counts"},
    {"--verbose", "", "accepted; the document is always whole"},
};
constexpr Example kRunIterateExamples[] = {
    {"reprise run:iterate @last", "go as far as possible"},
    {"reprise run:iterate @last --json | jq -c '.nextActions[]'", "what to do now, for a driver"},
};
constexpr Exit kRunIterateExits[] = {Exit::kNo,      Exit::kNotFound,      Exit::kConflict,
                                     Exit::kCorrupt, Exit::kDiverged,      Exit::kLocked,
                                     Exit::kBudget,  Exit::kWaitsForInput, Exit::kWaitsForTime};

constexpr Flag kRunStatusFlags[] = {
    {"--exit-status", "", "exit 1 when the run failed or was halted, 10 or 11 when it waits"}};
constexpr Example kRunStatusExamples[] = {
    {"reprise run:status @last", "how the newest run stands"},
    {"reprise run:status @last --get /state", "one word"},
};
constexpr Exit kRunStatusExits[] = {Exit::kNo, Exit::kNotFound, Exit::kCorrupt,
                                    Exit::kWaitsForInput, Exit::kWaitsForTime};

constexpr Example kRunOutputExamples[] = {
    {"reprise run:output @last --get /output/notes > NOTES.md", "one string of the output, bare"}};
constexpr Exit kRunOutputExits[] = {Exit::kNo, Exit::kNotFound, Exit::kConflict, Exit::kCorrupt};

constexpr Flag kRunEventsFlags[] = {
    {"--limit", "N", "at most N records; default 100"},
    {"--after", "SEQ", "only records behind this one (with --reverse: before it)"},
    {"--all", "", "no limit"},
    {"--reverse", "", "the newest first"},
    {"--filter-type", "TYPE", "only records of this type", false, true},
    {"--rich", "", "accepted; the data is always there"},
};
constexpr Example kRunEventsExamples[] = {
    {"reprise run:events @last --reverse --limit 5", "the last five records"},
    {"reprise run:events @last --all --output jsonl", "the whole journal, a record a line"},
};

constexpr Flag kRunListFlags[] = {
    {"--status", "created|ready|waiting|paused|completed|failed|halted|cancelled|damaged|foreign",
     "only runs in this status", false, true},
    {"--process", "ID", "only runs of this process"},
    {"--label", "K=V", "only runs with this label", false, true},
    {"--since", "TIME|DURATION", "only runs that changed then or later: a time, or 2h"},
    {"--waiting-for", "KIND", "only runs with a pending effect of this kind, or signal"},
    {"--parent", "RUN", "only children of this run"},
    {"--limit", "N", "at most N runs; default 50"},
    {"--after", "RUN", "go on behind this run"},
    {"--all", "", "no limit"},
};
constexpr Example kRunListExamples[] = {
    {"reprise run:list --status waiting --status ready", "the runs that can go on"},
    {"reprise run:list --waiting-for breakpoint --since 24h", "those that ask people, of today"}};

constexpr Flag kRunRebuildStateFlags[] = {{"--dry-run", "", "say what would be done"}};
constexpr Example kRunRebuildStateExamples[] = {
    {"reprise run:rebuild-state @last", "after something else wrote to state/ or tasks/"}};
constexpr Exit kRunRebuildStateExits[] = {Exit::kNotFound, Exit::kCorrupt, Exit::kLocked};

constexpr Example kRunVerifyExamples[] = {
    {"reprise run:verify @last", "is every byte as it was written?"}};
constexpr Exit kRunVerifyExits[] = {Exit::kNo, Exit::kNotFound};

constexpr Flag kRunRepairJournalFlags[] = {
    {"--accept-loss", "", "set damaged or cut-off acknowledged records aside, too"},
    {"--dry-run", "", "say what would be done"},
};
constexpr Example kRunRepairJournalExamples[] = {
    {"reprise run:repair-journal @last --dry-run", "what a repair would set aside"},
    {"reprise run:repair-journal @last --accept-loss", "go on with what is left"},
};
constexpr Exit kRunRepairJournalExits[] = {Exit::kNotFound, Exit::kLocked};

constexpr CommandSpec kRunTable[] = {
    {.name = "run:create",
     .summary = "Make a run of a process",
     .description =
         "The source of a script is copied into the run with all that it imports; editing it "
         "later does not touch the run. Without --entry and --process the run is bare, "
         "until run:assign-process. Nothing is executed: run:iterate does that.",
     .flags = kRunCreateFlags,
     .examples = kRunCreateExamples,
     .exits = kRunCreateExits,
     .writes = true,
     .run = run_create,
     .text = run_create_text},
    {.name = "run:iterate",
     .summary = "Replay the run and take it as far as it goes",
     .description =
         "It ends when the process ended or waits for something from outside; what it waits "
         "for is in nextActions. Exit 1 means that the run failed, was "
         "halted or cancelled. A paused run is left alone.",
     .positionals = kRunPositionals,
     .flags = kRunIterateFlags,
     .examples = kRunIterateExamples,
     .exits = kRunIterateExits,
     .writes = true,
     .run = run_iterate,
     .text = run_iterate_text},
    {.name = "run:signal",
     .summary = "Send the process something that it did not ask for",
     .description =
         "Signals queue in order until the process awaits one of their name; none is lost or "
         "doubled. A run that ended records them and never applies them.",
     .positionals = kRunSignalPositionals,
     .flags = kRunSignalFlags,
     .examples = kRunSignalExamples,
     .exits = kWriteExits,
     .writes = true,
     .run = run_signal,
     .text = run_signal_text},
    {.name = "run:status",
     .summary = "Say how a run stands and what it waits for",
     .positionals = kRunPositionals,
     .flags = kRunStatusFlags,
     .examples = kRunStatusExamples,
     .exits = kRunStatusExits,
     .run = run_status,
     .text = run_status_text},
    {.name = "run:output",
     .summary = "Print what a completed run returned",
     .description =
         "Exit 4 when the run has not ended, 1 when it failed or was halted; the document "
         "then holds the error or the reason.",
     .positionals = kRunPositionals,
     .examples = kRunOutputExamples,
     .exits = kRunOutputExits,
     .run = run_output,
     .text = run_output_text},
    {.name = "run:events",
     .summary = "List the records of a run's journal",
     .positionals = kRunPositionals,
     .flags = kRunEventsFlags,
     .examples = kRunEventsExamples,
     .exits = kReadExits,
     .stream = "events",
     .run = run_events,
     .text = run_events_text},
    {.name = "run:list",
     .summary = "List the runs of the home, the newest first",
     .flags = kRunListFlags,
     .examples = kRunListExamples,
     .exits = kIndexExits,
     .stream = "runs",
     .run = run_list,
     .text = run_list_text},
    {.name = "run:rebuild-state",
     .summary = "Derive everything in a run anew from its journal",
     .description =
         "state/, run.json and the files of pending effects are caches; this writes them again.",
     .positionals = kRunPositionals,
     .flags = kRunRebuildStateFlags,
     .examples = kRunRebuildStateExamples,
     .exits = kRunRebuildStateExits,
     .writes = true,
     .run = run_rebuild_state,
     .text = run_rebuild_state_text},
    {.name = "run:verify",
     .summary = "Check every byte of a run that can be checked",
     .description =
         "Every record's sum, every blob, the pinned source. Exit 1 when something is wrong.",
     .positionals = kRunPositionals,
     .examples = kRunVerifyExamples,
     .exits = kRunVerifyExits,
     .run = run_verify,
     .text = run_verify_text},
    {.name = "run:repair-journal",
     .summary = "Make a damaged journal readable again",
     .description =
         "What cannot be kept is set aside in the run, never destroyed. A torn tail was never "
         "acknowledged and needs no consent; anything else needs --accept-loss.",
     .positionals = kRunPositionals,
     .flags = kRunRepairJournalFlags,
     .examples = kRunRepairJournalExamples,
     .exits = kRunRepairJournalExits,
     .writes = true,
     .run = run_repair_journal,
     .text = run_repair_journal_text},
};

}  // namespace

std::span<const CommandSpec> run_table() { return kRunTable; }

}  // namespace reprise
