#include "cli/configured.h"
#include "cli/heartbeat/commands.h"
#include "cli/tables.h"

namespace reprise {
namespace {

constexpr Flag kHeartbeatFlags[] = {
    {"--max-runs", "N", "take runs on, and do chores, at most so often; default 1000"},
    {"--max-seconds", "N", "begin nothing more after so long; default 50"},
    {"--drive", "",
     "perform effects of channels, of the home's own runs, and of runs made with "
     "--autodrive"},
    {"--jobs", "N", "with --drive: runs that are driven side by side; default drive.jobs"},
    {"--loop", "DURATION", "go on: one beat, then a pause of so long, until SIGTERM or SIGINT"},
    {"--dry-run", "", "say what is due, do nothing"},
    kSetFlag,
};
constexpr Example kHeartbeatExamples[] = {
    {"reprise heartbeat", "what a cron line runs: silent when nothing is due"},
    {"reprise heartbeat --dry-run", "what is due"},
    {"reprise heartbeat --drive --json", "perform effects, too; what was done, as JSON"},
};
constexpr Exit kHeartbeatExits[] = {Exit::kNotFound, Exit::kLocked, Exit::kForbidden};

constexpr Flag kHeartbeatInstallFlags[] = {
    {"--systemd", "", "a timer and a service of your own systemd"},
    {"--cron", "", "a line of your crontab"},
    {"--write", "", "write it; without, it is only shown"},
    {"--no-drive", "", "without --drive: nothing is performed"},
    {"--environment-file", "FILE",
     "where the credentials of executors stand, NAME=VALUE a line; default heartbeat.env in the "
     "home"},
};
constexpr Example kHeartbeatInstallExamples[] = {
    {"reprise heartbeat:install --cron", "the line, and how it is removed again"},
    {"reprise heartbeat:install --systemd --write", "write the units"},
};
constexpr Exit kHeartbeatInstallExits[] = {Exit::kNotFound, Exit::kForbidden};

constexpr CommandSpec kHeartbeatTable[] = {
    {.name = "heartbeat",
     .summary = "Do everything that is due in the home, and end",
     .description =
         "One cron line that runs it every minute keeps a home alive: runs that have news go on, "
         "times come, child runs begin and are heard, chores of the home are done. It is bounded, "
         "two at once do no harm, and one bad run never stops the others: what went wrong is in "
         "the document and on standard error. With --now only simulated runs are looked at, and "
         "without it only the others.",
     .flags = kHeartbeatFlags,
     .examples = kHeartbeatExamples,
     .exits = kHeartbeatExits,
     .writes = true,
     .run = heartbeat,
     .text = heartbeat_text},
    {.name = "heartbeat:install",
     .summary = "Show or write the cron line or systemd timer for it",
     .description =
         "With absolute paths, this home, and a file for the credentials that executors need. "
         "Writing it again changes nothing. It says how to remove it.",
     .flags = kHeartbeatInstallFlags,
     .examples = kHeartbeatInstallExamples,
     .exits = kHeartbeatInstallExits,
     .changes_else = true,
     .run = heartbeat_install,
     .text = heartbeat_install_text},
};

}  // namespace

std::span<const CommandSpec> heartbeat_table() { return kHeartbeatTable; }

}  // namespace reprise
