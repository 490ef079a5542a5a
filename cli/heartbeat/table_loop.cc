#include "cli/configured.h"
#include "cli/heartbeat/loop.h"
#include "cli/heartbeat/loop_home.h"
#include "cli/tables.h"

namespace reprise {
namespace {

constexpr Exit kHeartbeatRunNowExits[] = {
    Exit::kNo,           Exit::kConflict, Exit::kCorrupt, Exit::kLocked, Exit::kWaitsForInput,
    Exit::kWaitsForTime, Exit::kForbidden};

constexpr Positional kHeartbeatTasksPositionals[] = {
    {"VERB", "list (default), add, edit, enable, disable or remove", true},
    {"TASK", "the title of a new one, else its id (task-4)", true, true}};
constexpr Flag kHeartbeatTasksFlags[] = {
    {"--recurrence", "WHEN", "tick (default), once, or a cron expression"},
    {"--tz", "ZONE", "of a cron expression, as Europe/Berlin; default UTC"},
    {"--intent", "read|write", "whether it asks for an action; default by the words of its title"},
    {"--title", "TEXT", "with edit: a new title"},
    kRepeatFlag,
    kByFlag,
    kLoopNameFlag,
};
constexpr Example kHeartbeatTasksExamples[] = {
    {"reprise heartbeat:tasks", "all of them, and what keeps each back"},
    {"reprise heartbeat:tasks add 'Check urgent mail' --intent read", "at every tick"},
    {"reprise heartbeat:tasks add 'Send the digest' --recurrence '0 9 * * 1-5'",
     "by the clock, with leave to send"},
    {"reprise heartbeat:tasks disable task-2", "also for those of the system"},
};

constexpr Flag kHeartbeatLogFlags[] = {
    {"--task", "TASK", "only of this task"},
    {"--limit", "N", "at most N entries; default 50"},
    {"--all", "", "no limit"},
    {"--follow", "", "go on, and show what comes and changes"},
    {"--for", "DURATION", "with --follow: end after so long"},
    kLoopNameFlag,
};
constexpr Example kHeartbeatLogExamples[] = {
    {"reprise heartbeat:log", "what was done, the newest last"},
    {"reprise heartbeat:log --follow --for 2s", "what comes within two seconds"},
};

constexpr Flag kHeartbeatStatusFlags[] = {kLoopNameFlag, kSetFlag};
constexpr Example kHeartbeatStatusExamples[] = {{"reprise heartbeat:status", "is it well?"}};

constexpr Flag kHeartbeatRunNowFlags[] = {
    {"--no-wait", "", "open the tick and say its id; whoever drives performs it"},
    kRepeatFlag,
    kLoopNameFlag,
    kSetFlag,
};
constexpr Example kHeartbeatRunNowExamples[] = {
    {"reprise heartbeat:run-now", "a tick, performed to its end"},
    {"reprise heartbeat:run-now --no-wait --get /tickId", "only its id"},
};

constexpr Flag kHeartbeatPauseFlags[] = {{"--reason", "TEXT", "why"}, kByFlag, kLoopNameFlag};
constexpr Flag kHeartbeatResumeFlags[] = {kByFlag, kLoopNameFlag};
constexpr Flag kHeartbeatAbandonFlags[] = {kRepeatFlag, kByFlag, kLoopNameFlag};
constexpr Example kHeartbeatPauseExamples[] = {
    {"reprise heartbeat:pause --reason 'on holiday'", "no tick until it is resumed"}};
constexpr Example kHeartbeatResumeExamples[] = {{"reprise heartbeat:resume", "ticks open again"}};
constexpr Positional kHeartbeatAbandonPositionals[] = {{"TASK", "the task: its id (task-4)"}};
constexpr Example kHeartbeatAbandonExamples[] = {
    {"reprise heartbeat:abandon task-4", "nobody knows how it ended, and nobody will"}};

constexpr CommandSpec kLoopTable[] = {
    {.name = "heartbeat:tasks",
     .summary = "List and change the tasks of the subconscious loop",
     .description =
         "Tasks of the system, three that every loop begins with and the lines of HEARTBEAT.md in "
         "the home, can be disabled, and their intent can be set; nothing else of them changes.",
     .positionals = kHeartbeatTasksPositionals,
     .flags = kHeartbeatTasksFlags,
     .examples = kHeartbeatTasksExamples,
     .exits = kWriteExits,
     .writes = true,
     .stream = "tasks",
     .run = heartbeat_tasks,
     .text = heartbeat_tasks_text},
    {.name = "heartbeat:log",
     .summary = "Show what became of each task in each tick",
     .flags = kHeartbeatLogFlags,
     .examples = kHeartbeatLogExamples,
     .exits = kReadExits,
     .run = heartbeat_log,
     .text = heartbeat_log_text},
    {.name = "heartbeat:status",
     .summary = "Show how the loop is, and what stands in its way",
     .flags = kHeartbeatStatusFlags,
     .examples = kHeartbeatStatusExamples,
     .exits = kReadExits,
     .run = heartbeat_status,
     .text = heartbeat_status_text},
    {.name = "heartbeat:run-now",
     .summary = "Open a tick at once, and perform it",
     .description =
         "Whatever is due is evaluated, also while the loop is paused or disabled. A tick that is "
         "open is taken over. It exits 1 when the tick failed, and as run:drive when something of "
         "it waits.",
     .flags = kHeartbeatRunNowFlags,
     .examples = kHeartbeatRunNowExamples,
     .exits = kHeartbeatRunNowExits,
     .writes = true,
     .run = heartbeat_run_now,
     .text = heartbeat_run_now_text},
    {.name = "heartbeat:pause",
     .summary = "Let no tick open until the loop is resumed",
     .flags = kHeartbeatPauseFlags,
     .examples = kHeartbeatPauseExamples,
     .exits = kWriteExits,
     .writes = true,
     .run = heartbeat_pause,
     .text = heartbeat_pause_text},
    {.name = "heartbeat:resume",
     .summary = "Let ticks open again",
     .description =
         "Also after the loop paused itself, because another try would have failed, too.",
     .flags = kHeartbeatResumeFlags,
     .examples = kHeartbeatResumeExamples,
     .exits = kWriteExits,
     .writes = true,
     .run = heartbeat_resume,
     .text = heartbeat_resume_text},
    {.name = "heartbeat:abandon",
     .summary = "Give up work that keeps a task back",
     .description =
         "What was begun with full permission may have changed something: its task is not due "
         "until it has a result. This says that none will come; a later one changes nothing.",
     .positionals = kHeartbeatAbandonPositionals,
     .flags = kHeartbeatAbandonFlags,
     .examples = kHeartbeatAbandonExamples,
     .exits = kWriteExits,
     .writes = true,
     .run = heartbeat_abandon,
     .text = heartbeat_abandon_text},
};

}  // namespace

std::span<const CommandSpec> loop_table() { return kLoopTable; }

}  // namespace reprise
