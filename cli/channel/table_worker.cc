#include "cli/channel/commands.h"
#include "cli/channel/making.h"
#include "cli/channel/signal_request.h"
#include "cli/tables.h"

namespace reprise {
namespace {

constexpr Positional kWorker[] = {kChannelPositional, {"WORKER", "the worker: its id (w2)"}};
constexpr Positional kObjective[] = {kChannelPositional, {"OBJECTIVE", "what it is to do"}};
constexpr Positional kBranch[] = {kChannelPositional, {"BRANCH", "the branch: its id (b1)"}};
constexpr Positional kBranchPrompt[] = {kChannelPositional,
                                        {"PROMPT", "what it is to think about"}};
constexpr Positional kArtifact[] = {kChannelPositional, {"ARTIFACT", "the artifact: its id (a1)"}};

constexpr Flag kAllFlags[] = {{"--all", "", "those that ended long ago, too"}};
constexpr Flag kToolFlag = {"--tool", "NAME", "what it may use", false, true};
constexpr Flag kWorkFolderFlag = {"--dir", "DIR", "the folder that it works in"};
constexpr Flag kWorkerSpawnFlags[] = {
    {"--title", "TEXT", "what people call it"},
    kToolFlag,
    {"--mode", "fire_and_forget|interactive", "whether it may come back with a question"},
    {"--task-id", "ID", "the task that it belongs to"},
    {"--agent", "NAME", "who should do it"},
    kWorkFolderFlag,
    {"--entry", "FILE[#EXPORT]", "a child run of this process does it"},
    {"--inputs", "FILE|-", "the inputs of that run, as JSON"},
    kKeyFlag,
    kNoIterateFlag,
    kDryRunFlag,
};
constexpr Flag kWorkerRouteFlags[] = {
    {"--command", "VERB", "what becomes of it: continue, complete or fail", true},
    {"--text", "TEXT", "what it is told for its next cycle"},
    {"--summary", "TEXT", "what it has done: complete needs it"},
    {"--error", "TEXT", "why it failed: fail needs it"},
    kKeyFlag,
    kNoIterateFlag,
    kDryRunFlag,
};
constexpr Flag kWorkerCancelFlags[] = {
    {"--reason", "TEXT", "why"}, kKeyFlag, kNoIterateFlag, kDryRunFlag};
constexpr Flag kBranchSpawnFlags[] = {kToolFlag, kWorkFolderFlag, kKeyFlag, kNoIterateFlag,
                                      kDryRunFlag};
constexpr Flag kArtifactShowFlags[] = {{"--file", "FILE", "write the content to this file"}};

constexpr Example kWorkerListExamples[] = {
    {"reprise worker:list general", "those that work, and the last that ended"}};
constexpr Example kWorkerShowExamples[] = {{"reprise worker:show general w1", "all about one"}};
constexpr Example kWorkerSpawnExamples[] = {
    {"reprise worker:spawn general 'update the changelog' --tool file", "let somebody do it"},
    {"reprise worker:spawn general 'release' --mode interactive", "and ask how to go on"}};
constexpr Example kWorkerRouteExamples[] = {
    {"reprise worker:route general w1 --command continue --text 'yes, go on'",
     "answer its question"},
    {"reprise worker:route general w1 --command complete --summary 'done by hand'", "end it"}};
constexpr Example kWorkerCancelExamples[] = {
    {"reprise worker:cancel general w1 --reason 'not needed'", "it fails, as cancelled"}};
constexpr Example kBranchListExamples[] = {
    {"reprise branch:list general", "those that think, and the last that ended"}};
constexpr Example kBranchShowExamples[] = {{"reprise branch:show general b1", "all about one"}};
constexpr Example kBranchSpawnExamples[] = {
    {"reprise branch:spawn general 'compare the two designs'", "think about it apart"}};
constexpr Example kArtifactListExamples[] = {
    {"reprise artifact:list general", "what workers and branches made"}};
constexpr Example kArtifactShowExamples[] = {
    {"reprise artifact:show general a1", "all of it"},
    {"reprise artifact:show general a1 --file CHANGELOG.md", "its content, in a file"}};

constexpr CommandSpec kWorkerTable[] = {
    {.name = "worker:list",
     .summary = "List the workers of a channel",
     .positionals = kChannelPositionals,
     .flags = kAllFlags,
     .examples = kWorkerListExamples,
     .exits = kReadExits,
     .stream = "workers",
     .run = worker_list,
     .text = worker_list_text},
    {.name = "worker:show",
     .summary = "Show one worker",
     .positionals = kWorker,
     .examples = kWorkerShowExamples,
     .exits = kReadExits,
     .run = worker_show,
     .text = worker_show_text},
    {.name = "worker:spawn",
     .summary = "Give a piece of work to a worker, beside the conversation",
     .positionals = kObjective,
     .flags = kWorkerSpawnFlags,
     .examples = kWorkerSpawnExamples,
     .exits = kTellExits,
     .writes = true,
     .run = worker_spawn,
     .text = worker_spawn_text},
    {.name = "worker:route",
     .summary = "Tell an interactive worker how to go on",
     .positionals = kWorker,
     .flags = kWorkerRouteFlags,
     .examples = kWorkerRouteExamples,
     .exits = kTellExits,
     .writes = true,
     .run = worker_route,
     .text = worker_route_text},
    {.name = "worker:cancel",
     .summary = "Stop a worker",
     .positionals = kWorker,
     .flags = kWorkerCancelFlags,
     .examples = kWorkerCancelExamples,
     .exits = kTellExits,
     .writes = true,
     .run = worker_cancel,
     .text = worker_cancel_text},
    {.name = "branch:list",
     .summary = "List the branches of a channel",
     .positionals = kChannelPositionals,
     .flags = kAllFlags,
     .examples = kBranchListExamples,
     .exits = kReadExits,
     .stream = "branches",
     .run = branch_list,
     .text = branch_list_text},
    {.name = "branch:show",
     .summary = "Show one branch",
     .positionals = kBranch,
     .examples = kBranchShowExamples,
     .exits = kReadExits,
     .run = branch_show,
     .text = branch_show_text},
    {.name = "branch:spawn",
     .summary = "Let a question be thought through apart",
     .description = "With what is remembered about it; its conclusion comes back into the channel.",
     .positionals = kBranchPrompt,
     .flags = kBranchSpawnFlags,
     .examples = kBranchSpawnExamples,
     .exits = kTellExits,
     .writes = true,
     .run = branch_spawn,
     .text = branch_spawn_text},
    {.name = "artifact:list",
     .summary = "List what workers and branches made",
     .positionals = kChannelPositionals,
     .flags = kAllFlags,
     .examples = kArtifactListExamples,
     .exits = kReadExits,
     .stream = "artifacts",
     .run = artifact_list,
     .text = artifact_list_text},
    {.name = "artifact:show",
     .summary = "Show an artifact with its content",
     .positionals = kArtifact,
     .flags = kArtifactShowFlags,
     .examples = kArtifactShowExamples,
     .exits = kReadExits,
     .run = artifact_show,
     .text = artifact_show_text},
};

}  // namespace

std::span<const CommandSpec> worker_table() { return kWorkerTable; }

}  // namespace reprise
