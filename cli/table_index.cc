#include "cli/commands.h"
#include "cli/tables.h"

namespace reprise {
namespace {

constexpr Flag kInboxFlags[] = {
    {"--limit", "N", "at most N of each kind; default 10"},
    {"--all", "", "no limit"},
};
constexpr Example kInboxExamples[] = {
    {"reprise inbox --json", "for a program; `reprise` alone is for people"},
};

constexpr Flag kEventListFlags[] = {
    {"--type", "TYPE", "only events of this type; \"visor.*\": all that begin so", false, true},
    {"--run", "RUN", "only those of this run"},
    {"--since", "TIME|DURATION", "only those emitted then or later: a time, or 2h for 2 hours ago"},
    {"--limit", "N", "at most N events; default 100"},
    {"--after", "CURSOR", "go on behind this cursor: the \"cursor\" of a list before"},
    {"--all", "", "no limit"},
};
constexpr Example kEventListExamples[] = {
    {"reprise event:list --type deploy.done --since 24h", "what was deployed today"},
    {"reprise event:list --json --get /cursor", "where the stream ends now"},
};
constexpr Flag kEventTailFlags[] = {
    {"--follow", "", "go on with events as they come"},
    {"--for", "DURATION", "follow at most so long; default 24h"},
    {"--type", "TYPE", "only events of this type; \"visor.*\": all that begin so", false, true},
    {"--channel", "CHANNEL", "only those of this channel"},
    {"--run", "RUN", "only those of this run"},
    {"--since", "TIME|DURATION", "only those emitted then or later: a time, or 2h for 2 hours ago"},
    {"--after", "CURSOR", "go on behind this cursor: of an envelope, or of event:list"},
    {"--cursor-file", "FILE",
     "keep the place here: written behind each event that was delivered, read at the beginning"},
    {"--limit", "N", "end after N events"},
    {"--exec", "COMMAND",
     "run this command of the shell for each event, with the envelope on its standard input"},
    {"--exec-timeout", "DURATION", "of one run of the command; default 60s"},
    {"--attempts", "N", "run a failing command at most N times for an event; default 3"},
};
constexpr Example kEventTailExamples[] = {
    {"reprise event:tail --type 'deploy.*' --since 24h", "today's events of a kind, one a line"},
    {"reprise event:tail --cursor-file seen --exec 'cat >> events.log'",
     "each event at least once: after a failure the next call begins with it"},
};
constexpr Exit kEventTailExits[] = {Exit::kNo, Exit::kNotFound, Exit::kConflict, Exit::kLocked};
constexpr Exit kEventListExits[] = {Exit::kNotFound, Exit::kConflict, Exit::kLocked};

constexpr CommandSpec kIndexTable[] = {
    {.name = "inbox",
     .summary = "Show what waits for you, over all runs",
     .description =
         "Questions, effects that are held, claims whose worker is gone, failed runs, runs that "
         "are ready and that nobody iterates, and runs that cannot be read: each with the command "
         "that settles it. `reprise` alone is the same.",
     .flags = kInboxFlags,
     .examples = kInboxExamples,
     .exits = kIndexExits,
     .run = inbox,
     .text = inbox_text},
    {.name = "event:list",
     .summary = "List what processes told the world, over all runs",
     .description =
         "Domain events (ctx.emit) in the order in which the index learnt of them. A cursor holds "
         "until the index is made anew; then it is refused with exit 4.",
     .flags = kEventListFlags,
     .examples = kEventListExamples,
     .exits = kEventListExits,
     .stream = "events",
     .run = event_list,
     .text = event_list_text},
    {.name = "event:tail",
     .summary = "Print domain events of all runs, and follow them",
     .description =
         "From the first event of the home, or behind a cursor, to the last one that is known; "
         "with --follow also those that come. The place in --cursor-file moves when an event was "
         "delivered: printed, or taken by the command of --exec with exit code 0. An event that "
         "the command refuses at every attempt ends event:tail with exit 1, and is the first one "
         "the next time: at least once.",
     .flags = kEventTailFlags,
     .examples = kEventTailExamples,
     .exits = kEventTailExits,
     .changes_else = true,
     .run = event_tail,
     .text = event_tail_text},
    {.name = "index:status",
     .summary = "Say what the index over all runs holds",
     .exits = kIndexExits,
     .run = index_status,
     .text = index_text},
    {.name = "index:rebuild",
     .summary = "Make the index anew from the journals alone",
     .description =
         "Lists do this by themselves when the index is missing or damaged. Every record and its "
         "sum is read. Nothing else depends on the index.",
     .exits = kIndexExits,
     .changes_else = true,
     .run = index_rebuild,
     .text = index_text},
};

}  // namespace

std::span<const CommandSpec> index_table() { return kIndexTable; }

}  // namespace reprise
