#include "cli/schedule/commands.h"
#include "cli/schedule/schedule_home.h"
#include "cli/tables.h"

namespace reprise {
namespace {

constexpr Exit kScheduleReadExits[] = {Exit::kNotFound};

constexpr Flag kCron = {"--cron", "EXPR",
                        "five fields: minute hour day-of-month month day-of-week; or @daily"};
constexpr Flag kEvery = {"--every", "DURATION", "as 90m: from now on, without drift"};
constexpr Flag kAt = {"--at", "TIME", "once, as 2026-12-01T09:00"};
constexpr Flag kZone = {"--tz", "ZONE", "of --cron and --at, as Europe/Berlin; default UTC"};
constexpr Flag kName = {"--name", "NAME", "another way to call it"};
constexpr Flag kChannel = {"--channel", "CHANNEL", "say PROMPT there, in a thread of its own"};
constexpr Flag kCommand = {"--command", "COMMAND", "run a shell command"};
constexpr Flag kDir = {"--dir", "DIR", "where the command runs"};
constexpr Flag kEntry = {"--entry", "ENTRY", "start a run: script.mjs#export or builtin:NAME"};
constexpr Flag kInput = {"--input", "K=V", "an input of that run", false, true};
constexpr Flag kInputs = {"--inputs", "FILE|-", "its inputs as one JSON document"};
constexpr Flag kAs = {"--as", "USER", "who says it in the channel; default the user"};
constexpr Flag kAutoDelete = {"--auto-delete", "DURATION",
                              "threads without news go after it; 0s: never"};

constexpr Positional kSchedulePrompt[] = {{"PROMPT", "what is said in the channel", true}};
constexpr Positional kScheduleAndPrompt[] = {kSchedulePositional,
                                             {"PROMPT", "what is said from now on", true}};
constexpr Positional kOne[] = {kSchedulePositional};
constexpr Positional kPerhapsOne[] = {{"SCHEDULE", "of this one only: its number or name", true}};

constexpr Flag kScheduleAddFlags[] = {
    kCron,       kEvery,
    kAt,         kZone,
    kName,       kChannel,
    kAs,         kAutoDelete,
    kCommand,    kDir,
    kEntry,      kInput,
    kInputs,     {"--disabled", "", "it fires when it is enabled"},
    kRepeatFlag, kDryRunFlag};
constexpr Flag kScheduleEditFlags[] = {kCron,    kEvery, kAt,         kZone,       kName,
                                       kChannel, kAs,    kAutoDelete, kCommand,    kDir,
                                       kEntry,   kInput, kInputs,     kRepeatFlag, kDryRunFlag};
constexpr Flag kChangeFlags[] = {kRepeatFlag, kDryRunFlag};
constexpr Flag kScheduleLogFlags[] = {{"--limit", "N", "the newest N; default 50"},
                                      {"--all", "", "no limit"}};

constexpr Example kScheduleAddExamples[] = {
    {"reprise schedule:add 'News?' --cron '30 9 * * 1-5' --channel general",
     "a question on each working day"},
    {"reprise schedule:add --cron @daily --tz Europe/Berlin --command 'make backup'",
     "at midnight in Berlin"},
    {"reprise schedule:add --every 90m --command 'df -h /' --name space", "a command"},
    {"reprise schedule:add --at 2031-01-01T00:00 --entry nightly.js", "a run, once"},
};
constexpr Example kScheduleListExamples[] = {{"reprise schedule:list", "all of them"}};
constexpr Example kScheduleShowExamples[] = {{"reprise schedule:show space",
                                              "when, what, and what came "
                                              "of it"}};
constexpr Example kScheduleEditExamples[] = {
    {"reprise schedule:edit space --every 2h", "less often"}};
constexpr Example kScheduleEnableExamples[] = {{"reprise schedule:enable space", "it fires again"}};
constexpr Example kScheduleDisableExamples[] = {
    {"reprise schedule:disable space", "it fires no more"}};
constexpr Example kScheduleRemoveExamples[] = {{"reprise schedule:remove space", "its log stays"}};
constexpr Example kScheduleRunNowExamples[] = {
    {"reprise schedule:run-now space", "not waiting for it"}};
constexpr Example kScheduleLogExamples[] = {
    {"reprise schedule:log space", "what fired, and how it ended"}};

constexpr CommandSpec kScheduleTable[] = {
    {.name = "schedule:add",
     .summary = "Let something happen at certain times",
     .description =
         "heartbeat fires it: a message in a channel, a run, or a command. What was missed while "
         "nothing ran fires once. Without --tz times are UTC.",
     .positionals = kSchedulePrompt,
     .flags = kScheduleAddFlags,
     .examples = kScheduleAddExamples,
     .exits = kWriteExits,
     .writes = true,
     .run = schedule_add,
     .text = schedule_add_text},
    {.name = "schedule:list",
     .summary = "List the schedules",
     .examples = kScheduleListExamples,
     .exits = kScheduleReadExits,
     .stream = "schedules",
     .run = schedule_list,
     .text = schedule_list_text},
    {.name = "schedule:show",
     .summary = "Show a schedule, its next times and its last firing",
     .positionals = kOne,
     .examples = kScheduleShowExamples,
     .exits = kScheduleReadExits,
     .run = schedule_show,
     .text = schedule_show_text},
    {.name = "schedule:edit",
     .summary = "Change when a schedule fires, or what",
     .description = "What is running goes on as it began. A new time counts from now.",
     .positionals = kScheduleAndPrompt,
     .flags = kScheduleEditFlags,
     .examples = kScheduleEditExamples,
     .exits = kWriteExits,
     .writes = true,
     .run = schedule_edit,
     .text = schedule_edit_text},
    {.name = "schedule:enable",
     .summary = "Let a schedule fire again",
     .description = "Its next time is worked out anew: what lay in between is not made up for.",
     .positionals = kOne,
     .flags = kChangeFlags,
     .examples = kScheduleEnableExamples,
     .exits = kWriteExits,
     .writes = true,
     .run = schedule_enable,
     .text = schedule_enable_text},
    {.name = "schedule:disable",
     .summary = "Let a schedule fire no more",
     .description = "What is running goes on.",
     .positionals = kOne,
     .flags = kChangeFlags,
     .examples = kScheduleDisableExamples,
     .exits = kWriteExits,
     .writes = true,
     .run = schedule_disable,
     .text = schedule_disable_text},
    {.name = "schedule:remove",
     .summary = "Forget a schedule; its log stays",
     .positionals = kOne,
     .flags = kChangeFlags,
     .examples = kScheduleRemoveExamples,
     .exits = kWriteExits,
     .writes = true,
     .run = schedule_remove,
     .text = schedule_remove_text},
    {.name = "schedule:run-now",
     .summary = "Fire a schedule at once",
     .description = "Its next time stays as it is. One that runs is a conflict.",
     .positionals = kOne,
     .flags = kChangeFlags,
     .examples = kScheduleRunNowExamples,
     .exits = kWriteExits,
     .writes = true,
     .run = schedule_run_now,
     .text = schedule_run_now_text},
    {.name = "schedule:log",
     .summary = "What fired, what was skipped, and what came of it",
     .positionals = kPerhapsOne,
     .flags = kScheduleLogFlags,
     .examples = kScheduleLogExamples,
     .exits = kScheduleReadExits,
     .stream = "entries",
     .run = schedule_log,
     .text = schedule_log_text},
};

}  // namespace

std::span<const CommandSpec> schedule_table() { return kScheduleTable; }

}  // namespace reprise
