#include "cli/commands.h"
#include "cli/tables.h"

namespace reprise {
namespace {

constexpr Flag kTokenFlag = {"--token", "TOKEN",
                             "the claim's token; default $REPRISE_CLAIM when it is of this effect"};

constexpr Positional kTaskListPositionals[] = {
    {"RUN", "the run: its id, a unique prefix of one, a path, or @last; default all runs", true}};
constexpr Flag kTaskListFlags[] = {
    {"--pending", "", "only effects without a result"},
    {"--kind", "KIND", "only effects of this kind: shell, agent, breakpoint, ...", false, true},
    {"--standing", "available|claimed|held",
     "only pending ones that can be taken now, that somebody took, or that wait for a person"},
    {"--limit", "N", "at most N effects; default 100"},
    {"--after", "EFFECT|RUN/EFFECT", "go on behind this effect"},
    {"--all", "", "no limit"},
};
constexpr Example kTaskListExamples[] = {
    {"reprise task:list @last --pending", "what the newest run waits for"},
    {"reprise task:list --kind agent --standing available", "what could be done now, of all runs"},
    {"reprise task:list @last --json | jq -r '.tasks[].effectId'", "the ids alone"},
};

constexpr Flag kTaskShowFlags[] = {kEffectKeyFlag,
                                   {"--verbose", "", "accepted; everything is always shown"}};
constexpr Example kTaskShowExamples[] = {
    {"reprise task:show @last t1", "what is to be done for t1, and its result"},
    {"reprise task:show @last t1 --get /task/shell/command", "the command of a shell effect"},
};

constexpr Flag kTaskPostFlags[] = {
    {"--status", "ok|error", "how the work ended", true},
    {"--value", "FILE|-", "the result as JSON; - reads standard input"},
    {"--value-inline", "JSON", "the result itself"},
    {"--error", "FILE|-",
     "the error: JSON {\"name\",\"message\",...}, or plain text as its message"},
    {"--error-inline", "JSON", "the error itself"},
    {"--effect-id", "EFFECT", "the effect, when it is not the second argument"},
    {"--effect-key", "KEY", "name the effect by the key that its author gave it"},
    {"--invocation-key", "KEY", "refuse unless the effect's invocation key is this one"},
    {"--attempt", "N", "the attempt that the result belongs to; default the present one"},
    kTokenFlag,
    {"--key", "KEY", "any repeat of this post, told by the key, changes nothing"},
    {"--stdout-file", "FILE", "what the tool wrote to standard output"},
    {"--stderr-file", "FILE", "what the tool wrote to standard error"},
    {"--started-at", "TIME", "when the work began"},
    {"--finished-at", "TIME", "when the work ended"},
    {"--metadata", "FILE", "a JSON object to be recorded with the result"},
    {"--iterate", "", "go on with the run at once, as run:iterate does"},
    {"--exit-status", "", "with --iterate: exit as run:iterate --exit-status does"},
    kDryRunFlag,
};
constexpr Example kTaskPostExamples[] = {
    {"reprise task:post @last t1 --status ok --value-inline '{\"approved\":true}'",
     "a short result"},
    {"make 2>&1 | reprise task:post @last t1 --status error --error -", "a failure, from a pipe"},
};
constexpr Exit kTaskPostExits[] = {Exit::kNo,      Exit::kNotFound, Exit::kConflict,
                                   Exit::kCorrupt, Exit::kDiverged, Exit::kLocked,
                                   Exit::kBudget,  Exit::kForbidden};

constexpr Exit kTaskClaimExits[] = {Exit::kNotFound, Exit::kConflict, Exit::kCorrupt, Exit::kLocked,
                                    Exit::kWaitsForInput};
constexpr Exit kTaskExecExits[] = {Exit::kNo,       Exit::kNotFound, Exit::kConflict,
                                   Exit::kCorrupt,  Exit::kLocked,   Exit::kWaitsForInput,
                                   Exit::kForbidden};

constexpr Flag kTaskClaimFlags[] = {
    kEffectKeyFlag,
    {"--next", "", "the oldest effect that can be taken, instead of EFFECT"},
    {"--kind", "KIND", "with --next: of this kind; default any but breakpoint, run and sleep"},
    {"--lease", "DURATION", "how long the claim lives without task:extend; default 10m"},
    {"--worker", "NAME", "who claims; default USER@HOST"},
    {"--pid", "PID", "the process on this machine whose end ends the claim, as $$ in a shell"},
    {"--wait-for", "DURATION", "wait at most so long until it can be taken"},
    {"--token", "TOKEN", "of the claim, when it is repeated"},
    kDryRunFlag,
};
constexpr Example kTaskClaimExamples[] = {
    {"reprise task:claim @last t1 --worker ci-7 --get /claim/token > token",
     "take t1, and keep the claim's token"},
    {"reprise task:claim @last --next --kind shell --wait-for 5m --json",
     "one of a pool: the next command, with all that is to be known of it"},
};

constexpr Flag kTaskExecFlags[] = {
    kEffectKeyFlag,
    {"--wait-for", "DURATION", "wait at most so long for the effect, and until it can be taken"},
    {"--lease", "DURATION", "of the claim, kept while the command runs; 1s or more, default 10m"},
    {"--worker", "NAME", "who claims; default USER@HOST"},
    {"--timeout", "DURATION", "stop the command after so long"},
};
constexpr Example kTaskExecExamples[] = {
    {"reprise task:exec @last --key build --wait-for 5m -- echo built",
     "the build, from a CI job"}};

constexpr Flag kTaskExtendFlags[] = {
    kEffectKeyFlag,
    kTokenFlag,
    {"--lease", "DURATION", "how long from now; default as long as before"},
    kDryRunFlag,
};
constexpr Example kTaskExtendExamples[] = {
    {"reprise task:extend @last t1 --token \"$(cat token)\"", "still working on it"}};

constexpr Flag kTaskReleaseFlags[] = {kEffectKeyFlag, kTokenFlag, kDryRunFlag};
constexpr Example kTaskReleaseExamples[] = {
    {"reprise task:release @last t1 --token \"$(cat token)\"", "somebody else may take it"}};

constexpr Flag kTaskProgressFlags[] = {
    kEffectKeyFlag,
    kTokenFlag,
    {"--value", "FILE|-", "the report as JSON; - reads standard input"},
    {"--value-inline", "JSON", "the report itself"},
    kDryRunFlag,
};
constexpr Example kTaskProgressExamples[] = {
    {"reprise task:progress @last t1 --value-inline '{\"percent\":40}'",
     "task:show has the last report"}};

constexpr Flag kTaskCancelFlags[] = {
    kEffectKeyFlag,
    {"--reason", "TEXT", "why; the process sees it"},
    kDryRunFlag,
};
constexpr Example kTaskCancelExamples[] = {
    {"reprise task:cancel @last t1 --reason 'not needed any more'", "t1 will have no result"}};

constexpr Flag kTaskLogsFlags[] = {
    kEffectKeyFlag,
    {"--stderr", "", "what it wrote to standard error, instead of standard output"},
    {"--attempt", "N", "of this attempt; default the present or last one"},
    {"--follow", "", "go on until the effect is settled", false, false, "-f"},
    {"--wait-for", "DURATION", "with --follow: at most so long; default 24h"},
    {"--raw", "", "control sequences as they are, also on a terminal"},
};
constexpr Example kTaskLogsExamples[] = {{"reprise task:logs @last t1 -f", "watch the work on t1"}};

constexpr CommandSpec kTaskTable[] = {
    {.name = "task:list",
     .summary = "List the effects that a run has asked for",
     .positionals = kTaskListPositionals,
     .flags = kTaskListFlags,
     .examples = kTaskListExamples,
     .exits = kReadExits,
     .stream = "tasks",
     .run = task_list,
     .text = task_list_text},
    {.name = "task:show",
     .summary = "Show one effect: what is to be done, and how it ended",
     .positionals = kEffectPositionals,
     .flags = kTaskShowFlags,
     .examples = kTaskShowExamples,
     .exits = kReadExits,
     .run = task_show,
     .text = task_show_text},
    {.name = "task:post",
     .summary = "Record the result of an effect",
     .description =
         "The same result again changes nothing and succeeds; a different one for the same "
         "attempt is a conflict. While somebody's claim lives it needs the claim's token. An error "
         "is followed by another attempt when the author's retry policy says so. Files are looked "
         "for from the working directory, then from the run's. It does not iterate by itself.",
     .positionals = kEffectPositionals,
     .flags = kTaskPostFlags,
     .examples = kTaskPostExamples,
     .exits = kTaskPostExits,
     .writes = true,
     .run = task_post,
     .text = task_post_text},
    {.name = "task:claim",
     .summary = "Take an effect, for as long as a lease lives",
     .description =
         "While the lease lives, results need the claim's token. When it is over, or the process "
         "that "
         "--pid names has died on this machine, the attempt is lost and the effect can be claimed "
         "again. A pause between attempts, a person's decision and a paused run refuse claims.",
     .positionals = kEffectPositionals,
     .flags = kTaskClaimFlags,
     .examples = kTaskClaimExamples,
     .exits = kTaskClaimExits,
     .writes = true,
     .run = task_claim,
     .text = task_claim_text},
    {.name = "task:exec",
     .summary = "Run a command as an effect: claim it, run, post",
     .description =
         "The command runs with REPRISE_HOME, _RUN, _EFFECT, _ATTEMPT, _CLAIM, _TASK_DIR and "
         "_IDEMPOTENCY_KEY in its environment. Exit code 0 is posted as {exitCode, stdout, stderr, "
         "success}, another one as the error CommandFailed; the two texts are the last 8 KiB, the "
         "logs hold up to 16 MiB. Where the task has an outputSchema and is no shell task, what "
         "was printed is the result when it is JSON; what does not fit is posted as the error "
         "OutputInvalid (1). It exits with the command's code, 128 + n after signal n. When "
         "the claim is lost meanwhile the command is stopped, and it exits with 4. SIGINT, SIGTERM "
         "and SIGHUP end the command and leave its effect pending, in the same attempt (10).",
     .positionals = kEffectPositionals,
     .flags = kTaskExecFlags,
     .examples = kTaskExecExamples,
     .exits = kTaskExecExits,
     .runs_program = true,
     .writes = true,
     .run = task_exec,
     .text = task_exec_text},
    {.name = "task:extend",
     .alias = "task:heartbeat",
     .summary = "Keep a claim: its lease goes on from now",
     .description =
         "Recorded at most once in a third of the lease; sooner it changes nothing and succeeds. "
         "task:heartbeat is the same.",
     .positionals = kEffectPositionals,
     .flags = kTaskExtendFlags,
     .examples = kTaskExtendExamples,
     .exits = kWriteExits,
     .writes = true,
     .run = task_extend,
     .text = task_extend_text},
    {.name = "task:release",
     .summary = "Give a claim back: others can take the effect",
     .description = "The attempt is not used up. Giving it back again changes nothing.",
     .positionals = kEffectPositionals,
     .flags = kTaskReleaseFlags,
     .examples = kTaskReleaseExamples,
     .exits = kWriteExits,
     .writes = true,
     .run = task_release,
     .text = task_release_text},
    {.name = "task:progress",
     .summary = "Report how far the work on an effect is",
     .description =
         "Only the last report is shown. It is no result, and the process does not see it.",
     .positionals = kEffectPositionals,
     .flags = kTaskProgressFlags,
     .examples = kTaskProgressExamples,
     .exits = kWriteExits,
     .writes = true,
     .run = task_progress,
     .text = task_progress_text},
    {.name = "task:cancel",
     .summary = "Take a request back: the effect will have no result",
     .description = "The process is given an EffectCancelledError at the next run:iterate. "
                    "Cancelling again changes nothing; an effect with a result is a conflict.",
     .positionals = kEffectPositionals,
     .flags = kTaskCancelFlags,
     .examples = kTaskCancelExamples,
     .exits = kWriteExits,
     .writes = true,
     .run = task_cancel,
     .text = task_cancel_text},
    {.name = "task:logs",
     .summary = "Print what the program that performs an effect writes",
     .description = "As bytes, unless standard output is a terminal. With --json the document "
                    "holds the last MiB as text.",
     .positionals = kEffectPositionals,
     .flags = kTaskLogsFlags,
     .examples = kTaskLogsExamples,
     .exits = kReadExits,
     .run = task_logs,
     .text = task_logs_text},
};

}  // namespace

std::span<const CommandSpec> task_table() { return kTaskTable; }

}  // namespace reprise
