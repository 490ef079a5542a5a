#include "cli/commands.h"
#include "cli/configured.h"
#include "cli/tables.h"

namespace reprise {
namespace {

constexpr Exit kExecutorListExits[] = {Exit::kNotFound};

constexpr Positional kNamePositionals[] = {{"NAME", "the executor's name in config.json"}};
constexpr Flag kExecutorListFlags[] = {kSetFlag};
constexpr Example kExecutorListExamples[] = {
    {"reprise executor:list", "who performs what"},
};

constexpr Flag kExecutorAddFlags[] = {
    {"--type", "shell|command|openai|mock", "what kind of executor it is; default command"},
    {"--preset", "NAME", "a known program: claude-code, codex, gemini, aider"},
    {"--match", "RULE", "perform what fits, as kind=agent or kind=agent,label=docs*", false, true},
    {"--with", "KEY=VALUE", "any other key of its entry, as idleTimeout=5m", false, true},
    {"--dry-run", "", "check everything, write nothing"},
};
constexpr Example kExecutorAddExamples[] = {
    {"reprise executor:add agent --preset claude-code --match kind=agent",
     "agents' tasks go to Claude Code"},
    {"reprise executor:add lint --match task=lint -- ./lint-worker --json",
     "a program of your own: task in, result out, as JSON"},
};
constexpr Exit kExecutorAddExits[] = {Exit::kConflict, Exit::kLocked};

constexpr Flag kExecutorTestFlags[] = {
    {"--task", "FILE|-", "the task as a process would build it; JSON"},
    {"--prompt", "TEXT", "a task that is nothing but a prompt, or a command line for a shell"},
    {"--kind", "KIND", "of the task; default as it says, else agent"},
    kSetFlag,
};
constexpr Example kExecutorTestExamples[] = {
    {"reprise executor:test shell --prompt 'echo hello'", "does it work?"},
};
constexpr Exit kExecutorTestExits[] = {Exit::kNo, Exit::kNotFound, Exit::kForbidden};

constexpr Flag kExecutorPerformFlags[] = {
    {"--lifeline", "FD", "stop the work when this descriptor, a pipe, is at its end"},
};
constexpr Example kExecutorPerformExamples[] = {
    {"reprise executor:perform < work.json", "one piece of work, as run:drive has it performed"},
};

constexpr CommandSpec kExecutorTable[] = {
    {.name = "executor:list",
     .summary = "List the executors, and what each performs",
     .flags = kExecutorListFlags,
     .examples = kExecutorListExamples,
     .exits = kExecutorListExits,
     .stream = "executors",
     .run = executor_list,
     .text = executor_list_text},
    {.name = "executor:add",
     .summary = "Put an executor into the home's config.json",
     .description = "Its entry and its rules are put in front of those that are there; comments "
                    "stay. The words behind -- are the command of a command executor.",
     .positionals = kNamePositionals,
     .flags = kExecutorAddFlags,
     .examples = kExecutorAddExamples,
     .exits = kExecutorAddExits,
     .runs_program = true,
     .changes_else = true,
     .run = executor_add,
     .text = executor_add_text},
    {.name = "executor:test",
     .summary = "Have one task performed outside of any run",
     .description = "The work is done as run:drive would have it done, within the home's policy, "
                    "in a scratch folder that is removed. Shows what the executor was told, what "
                    "came of it, and what was read from its output.",
     .positionals = kNamePositionals,
     .flags = kExecutorTestFlags,
     .examples = kExecutorTestExamples,
     .exits = kExecutorTestExits,
     .changes_else = true,
     .run = executor_test,
     .text = executor_test_text},
    {.name = "executor:perform",
     .summary = "Perform one piece of work: the worker of run:drive",
     .description = "Standard input holds the work as one JSON document {work, executor, policy}; "
                    "standard output tells what happens, one JSON object a line, the outcome "
                    "last. It posts nothing and knows no run but its folder.",
     .flags = kExecutorPerformFlags,
     .examples = kExecutorPerformExamples,
     .changes_else = true,
     .run = executor_perform,
     .text = executor_perform_text},
};

}  // namespace

std::span<const CommandSpec> executor_table() { return kExecutorTable; }

}  // namespace reprise
