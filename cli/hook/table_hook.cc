#include "cli/configured.h"
#include "cli/hook/commands.h"
#include "cli/tables.h"

namespace reprise {
namespace {

constexpr Exit kHookListExits[] = {Exit::kNotFound};
constexpr Exit kHookRetryExits[] = {Exit::kNo, Exit::kNotFound, Exit::kForbidden};

constexpr Positional kHook[] = {{"HOOK", "only this one", true}};
constexpr Positional kHookAndEvent[] = {{"HOOK", "only this one", true},
                                        {"EVENT", "only this event: RUN/SEQ", true}};
constexpr Flag kHookFlags[] = {kSetFlag};
constexpr Example kHookListExamples[] = {{"reprise hook:list", "and what did not reach them"}};
constexpr Example kHookRetryExamples[] = {{"reprise hook:retry", "the receiver is back"}};

constexpr CommandSpec kHookTable[] = {
    {.name = "hook:list",
     .summary = "List the hooks, and the events that did not reach them",
     .description = "Hooks stand in config.json: docs/hooks.md.",
     .positionals = kHook,
     .flags = kHookFlags,
     .examples = kHookListExamples,
     .exits = kHookListExits,
     .stream = "hooks",
     .run = hook_list,
     .text = hook_list_text},
    {.name = "hook:retry",
     .summary = "Deliver now what did not reach the hooks, parked events too",
     .description =
         "heartbeat does the same by itself, but for parked events, with growing pauses.",
     .positionals = kHookAndEvent,
     .flags = kHookFlags,
     .examples = kHookRetryExamples,
     .exits = kHookRetryExits,
     .changes_else = true,
     .stream = "events",
     .run = hook_retry,
     .text = hook_retry_text},
};

}  // namespace

std::span<const CommandSpec> hook_table() { return kHookTable; }

}  // namespace reprise
