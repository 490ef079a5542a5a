#include "cli/commands.h"
#include "cli/tables.h"

namespace reprise {
namespace {

constexpr Flag kRunPauseFlags[] = {{"--reason", "TEXT", "why; recorded"}, kDryRunFlag};
constexpr Example kRunPauseExamples[] = {
    {"reprise run:pause @last --reason 'the disk is full'", "nothing new starts"}};
constexpr Example kRunResumeExamples[] = {{"reprise run:resume @last", "let it go on"}};

constexpr Flag kRunCancelFlags[] = {
    {"--reason", "TEXT", "why; the process sees it"},
    {"--iterate", "", "go on with the run at once, as run:iterate does"},
    {"--exit-status", "", "with --iterate: exit as run:iterate --exit-status does"},
    kDryRunFlag,
};
constexpr Example kRunCancelExamples[] = {
    {"reprise run:cancel @last --reason 'not needed any more' --iterate",
     "let the process clean up and end"}};
constexpr Exit kRunCancelExits[] = {Exit::kNo,      Exit::kNotFound, Exit::kConflict,
                                    Exit::kCorrupt, Exit::kDiverged, Exit::kLocked,
                                    Exit::kBudget};

constexpr Flag kRunHaltFlags[] = {{"--reason", "TEXT", "why; shown wherever the run is"},
                                  kDryRunFlag};
constexpr Example kRunHaltExamples[] = {
    {"reprise run:halt @last --reason 'wrong branch'", "end the newest run"}};

constexpr CommandSpec kStopTable[] = {
    {.name = "run:pause",
     .summary = "Let nothing new start in a run until run:resume",
     .description =
         "run:iterate decides nothing and effects cannot be claimed meanwhile; results and signals "
         "are still taken. Pausing again changes nothing.",
     .positionals = kRunPositionals,
     .flags = kRunPauseFlags,
     .examples = kRunPauseExamples,
     .exits = kWriteExits,
     .writes = true,
     .run = run_pause,
     .text = run_pause_text},
    {.name = "run:resume",
     .summary = "Let a paused run go on",
     .description = "Resuming a run that is not paused changes nothing.",
     .positionals = kRunPositionals,
     .flags = kRunPauseFlags,
     .examples = kRunResumeExamples,
     .exits = kWriteExits,
     .writes = true,
     .run = run_resume,
     .text = run_resume_text},
    {.name = "run:cancel",
     .summary = "Ask a run to end: its process may clean up first",
     .description =
         "Everything that is open is closed and its child runs are cancelled. At the next "
         "run:iterate the process is told; it may ask for work that cleans up, and ends. "
         "Cancelling again changes nothing; a run that completed or was halted is a conflict.",
     .positionals = kRunPositionals,
     .flags = kRunCancelFlags,
     .examples = kRunCancelExamples,
     .exits = kRunCancelExits,
     .writes = true,
     .run = run_cancel,
     .text = run_cancel_text},
    {.name = "run:halt",
     .summary = "End a run without asking its process",
     .description =
         "Open effects are abandoned; posts for them are conflicts from then on. Halting again "
         "changes nothing; a completed run cannot be halted.",
     .positionals = kRunPositionals,
     .flags = kRunHaltFlags,
     .examples = kRunHaltExamples,
     .exits = kWriteExits,
     .writes = true,
     .run = run_halt,
     .text = run_halt_text},
};

}  // namespace

std::span<const CommandSpec> stop_table() { return kStopTable; }

}  // namespace reprise
