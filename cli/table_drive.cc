#include "cli/commands.h"
#include "cli/configured.h"
#include "cli/creation.h"
#include "cli/tables.h"

namespace reprise {
namespace {

constexpr Flag kJobsFlag = {"--jobs", "N", "effects side by side; default drive.jobs"};
constexpr Flag kWaitFlag = {
    "--wait", "DURATION",
    "go on for so long after the last thing that happened, for people, signals and times"};
constexpr Flag kInteractiveFlag = {"--interactive", "",
                                   "ask on this terminal what the run asks people"};

constexpr Flag kMaxSecondsFlag = {
    "--max-seconds", "N", "begin no more work after so long; what is in hand goes on to its end"};

constexpr Flag kRunDriveFlags[] = {
    kJobsFlag,
    kWaitFlag,
    kMaxSecondsFlag,
    kInteractiveFlag,
    {"--dry-run", "", "say what is pending, and which executor performs it"},
    kSetFlag,
};
constexpr Example kRunDriveExamples[] = {
    {"reprise run:drive @last", "perform what the run asks for"},
    {"reprise run:drive @last --json | jq -c 'select(.event == \"finished\")'",
     "each result as it is recorded"},
    {"reprise run:drive @last --dry-run", "what is pending, and who would perform it"},
};
constexpr Exit kDriveExits[] = {
    Exit::kNo,     Exit::kNotFound, Exit::kConflict,      Exit::kCorrupt,      Exit::kDiverged,
    Exit::kLocked, Exit::kBudget,   Exit::kWaitsForInput, Exit::kWaitsForTime, Exit::kForbidden};

constexpr Positional kRunStartPositionals[] = {
    {"PROCESS", "a JavaScript process, FILE or FILE#EXPORT, or a built-in one: builtin:checklist"},
    {"K=V", "one member of the inputs; V is JSON if it reads as JSON, else a string", true, true}};
constexpr Flag kRunStartFlags[] = {
    kInputsFlag,
    kLabelFlag,
    kRunIdFlag,
    kIfAbsentFlag,
    kProcessIdFlag,
    kRequestFlag,
    kSimulatedFlag,
    kJobsFlag,
    kWaitFlag,
    kMaxSecondsFlag,
    kInteractiveFlag,
    kAutodriveFlag,
    {"--dry-run", "", "check everything, create nothing"},
    kSetFlag,
};
constexpr Example kRunStartExamples[] = {
    {"reprise run:start rel.mjs tag=v1.4", "create a run and drive it"},
    {"reprise run:start builtin:checklist 'steps=[\"make\",\"make test\"]'",
     "shell steps, one after the other"},
};

constexpr Flag kRunWaitFlags[] = {
    {"--timeout", "DURATION", "how long at most; default 10m"},
    {"--for", "ended|people|change|created|ready|waiting|paused|completed|failed|halted|cancelled",
     "until it is so; default ended or people", false, true},
    {"--after", "SEQ", "with --for change: a record behind this one; default the last one now"},
};
constexpr Example kRunWaitExamples[] = {
    {"reprise run:wait @last --timeout 1h", "until it ends or asks people"},
    {"reprise run:wait @last --for change --after 1", "until more than its creation is recorded"},
};
constexpr Exit kRunWaitExits[] = {Exit::kNo, Exit::kNotFound, Exit::kCorrupt, Exit::kWaitsForInput,
                                  Exit::kWaitsForTime};

constexpr CommandSpec kDriveTable[] = {
    {.name = "run:start",
     .summary = "Create a run and drive it",
     .description = "run:create and run:drive in one: see both.",
     .positionals = kRunStartPositionals,
     .flags = kRunStartFlags,
     .examples = kRunStartExamples,
     .exits = kDriveExits,
     .writes = true,
     .run = run_start,
     .text = run_drive_text},
    {.name = "run:drive",
     .summary = "Perform what a run asks for, until it ends or waits",
     .description =
         "Effects go to the executors of the configuration, side by side; child runs are driven, "
         "too. It ends when the run has ended (exit 0, or 1 when it failed or was stopped), when "
         "only people, signals or executors that are missing help (10), or only time (11; less "
         "than 30 s are waited for). SIGINT, SIGTERM and SIGHUP end the work and leave its effects "
         "pending (10). With --json each event is one line of JSON.",
     .positionals = kRunPositionals,
     .flags = kRunDriveFlags,
     .examples = kRunDriveExamples,
     .exits = kDriveExits,
     .writes = true,
     .run = run_drive,
     .text = run_drive_text},
    {.name = "run:wait",
     .summary = "Wait until a run ends, asks people or changes",
     .description =
         "It does nothing but look. Exit 0 when what --for names has come; without --for as "
         "run:drive, and 10 or 11 when the time is over: `reached` of the document is null then.",
     .positionals = kRunPositionals,
     .flags = kRunWaitFlags,
     .examples = kRunWaitExamples,
     .exits = kRunWaitExits,
     .run = run_wait,
     .text = run_wait_text},
};

}  // namespace

std::span<const CommandSpec> drive_table() { return kDriveTable; }

}  // namespace reprise
