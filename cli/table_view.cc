#include "cli/commands.h"
#include "cli/tables.h"

namespace reprise {
namespace {

constexpr Positional kRunsPositionals[] = {
    {"RUN", "the runs: ids, unique prefixes, paths, or @last", false, true}};

constexpr Flag kRunTreeFlags[] = {
    {"--depth", "N", "go down to N generations of child runs; default 8"},
    {"--limit", "N", "of each run the last N effects; default 200"},
    {"--all", "", "no limit"},
};
constexpr Example kRunTreeExamples[] = {
    {"reprise run:tree @last", "what the newest run asked for, and what came of it"}};

constexpr Flag kRunWatchFlags[] = {
    {"--after", "SEQ", "begin behind this record instead"},
    {"--wait-for", "DURATION", "watch at most so long; default 24h"},
};
constexpr Example kRunWatchExamples[] = {
    {"reprise run:watch @last --wait-for 1s || true", "what the newest run does"}};
constexpr Exit kRunWatchExits[] = {Exit::kNo, Exit::kNotFound, Exit::kCorrupt, Exit::kWaitsForInput,
                                   Exit::kWaitsForTime};

constexpr Flag kRunLogsFlags[] = {
    {"--limit", "N", "the last N lines; default 1000"},
    {"--all", "", "no limit"},
};
constexpr Example kRunLogsExamples[] = {{"reprise run:logs @last", "what the process logged"}};

constexpr Exit kPutAwayExits[] = {Exit::kNotFound, Exit::kConflict, Exit::kCorrupt, Exit::kLocked};
constexpr Flag kRunArchiveFlags[] = {{"--dry-run", "", "say what would be moved, move nothing"}};
constexpr Example kRunArchiveExamples[] = {
    {"reprise run:archive @last --dry-run", "which runs would go"},
    {"reprise run:archive @last", "put the newest run away"}};
constexpr Flag kRunDeleteFlags[] = {{"--yes", "", "delete them; without it the plan is shown"},
                                    {"--dry-run", "", "show the plan, exit 0"}};
constexpr Example kRunDeleteExamples[] = {{"reprise run:delete @last --dry-run", "what would go"}};

constexpr CommandSpec kViewTable[] = {
    {.name = "run:tree",
     .summary = "Show a run's effects and child runs, with times and results",
     .positionals = kRunPositionals,
     .flags = kRunTreeFlags,
     .examples = kRunTreeExamples,
     .exits = kReadExits,
     .run = run_tree,
     .text = run_tree_text},
    {.name = "run:watch",
     .summary = "Show a run's records as they are written, until it ends",
     .description =
         "It begins with the last ten. Exit 0 when the run has completed, 1 when it failed or was "
         "stopped; 10 or 11 when the time is over and it waits. With --json each line is one "
         "document, and the last one says how the run stands.",
     .positionals = kRunPositionals,
     .flags = kRunWatchFlags,
     .examples = kRunWatchExamples,
     .exits = kRunWatchExits,
     .run = run_watch,
     .text = run_watch_text},
    {.name = "run:logs",
     .summary = "Show what a run's process logged",
     .description =
         "The lines of ctx.log and console.log, as the home keeps them in logs/. They are for "
         "people: not part of the journal, and lost with the home's folder.",
     .positionals = kRunPositionals,
     .flags = kRunLogsFlags,
     .examples = kRunLogsExamples,
     .exits = kReadExits,
     .stream = "lines",
     .run = run_logs,
     .text = run_logs_text},
    {.name = "run:archive",
     .summary = "Move runs that are over to the archive",
     .description = "They go to archive/ beside runs/, with their child runs. --runs-dir with that "
                    "folder shows "
                    "them again; moving a folder back is all that it takes to have it back.",
     .positionals = kRunsPositionals,
     .flags = kRunArchiveFlags,
     .examples = kRunArchiveExamples,
     .exits = kPutAwayExits,
     .changes_else = true,
     .stream = "runs",
     .run = run_archive,
     .text = run_archive_text},
    {.name = "run:delete",
     .summary = "Delete runs that are over, and all that is recorded",
     .description =
         "Their child runs go, too. Without --yes the plan is shown and the exit code is 2. With "
         "--force runs that have not ended go, as well.",
     .positionals = kRunsPositionals,
     .flags = kRunDeleteFlags,
     .examples = kRunDeleteExamples,
     .exits = kPutAwayExits,
     .changes_else = true,
     .stream = "runs",
     .run = run_delete,
     .text = run_delete_text},
};

}  // namespace

std::span<const CommandSpec> view_table() { return kViewTable; }

}  // namespace reprise
