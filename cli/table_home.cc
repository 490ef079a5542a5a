#include "cli/commands.h"
#include "cli/configured.h"
#include "cli/tables.h"

namespace reprise {
namespace {

constexpr Positional kInitPositionals[] = {
    {"DIR", "the folder that gets a .reprise/; default the working directory", true}};
constexpr Flag kInitFlags[] = {
    {"--shared", "group", "the group of the folder may use it, too: modes 2770 and 0660"}};
constexpr Example kInitExamples[] = {
    {"reprise init", "a home for what lies below the working directory"},
    {"reprise init --shared group team", "one for a group of users"},
};

constexpr Positional kConfigShowPositionals[] = {
    {"KEY", "drive.jobs, or drive for all that begins with it", true}};
constexpr Flag kConfigShowFlags[] = {{"--origin", "", "also where each value was said"}, kSetFlag};
constexpr Example kConfigShowExamples[] = {
    {"reprise config:show --origin", "everything, and where it was said"},
    {"reprise config:show drive.jobs --get /settings/0/value", "one value"},
};
constexpr Exit kConfigReadExits[] = {Exit::kNotFound};

constexpr Flag kTrustFlags[] = {
    {"--show", "", "only say whether it is trusted, and why"},
    {"--revoke", "", "forget that it was trusted"},
};
constexpr Example kTrustExamples[] = {
    {"reprise trust --show", "may this home run programs?"},
    {"reprise trust", "it may"},
};
constexpr Exit kTrustExits[] = {Exit::kNotFound, Exit::kLocked, Exit::kForbidden};

constexpr Flag kDoctorFlags[] = {
    {"--fix", "", "remove the unfinished folders that killed commands left among the runs"},
    kSetFlag};
constexpr Example kDoctorExamples[] = {{"reprise doctor", "examine the home"}};
constexpr Exit kDoctorExits[] = {Exit::kNo, Exit::kNotFound};

constexpr Positional kBackupPositionals[] = {{"DEST", "the new folder"}};
constexpr Flag kBackupFlags[] = {
    {"--run", "RUN", "only this run", false, true},
    {"--verify", "", "check the copy: every blob, log and module that a record names"},
};
constexpr Example kBackupExamples[] = {
    {"reprise backup ../copy --verify", "a copy of the home"},
    {"reprise backup one --run @last", "a home with one run"},
};
constexpr Exit kBackupExits[] = {Exit::kNo, Exit::kNotFound, Exit::kConflict};

constexpr CommandSpec kHomeTable[] = {
    {.name = "init",
     .summary = "Make a home: a folder for runs, their logs and a configuration",
     .description =
         "Commands find the .reprise/ nearest above their working directory. Without DIR "
         "the home of --home or $REPRISE_HOME is made, if one is named. What is there "
         "stays; a home that is empty is trusted at once.",
     .positionals = kInitPositionals,
     .flags = kInitFlags,
     .examples = kInitExamples,
     .changes_else = true,
     .run = init,
     .text = init_text},
    {.name = "config:show",
     .summary = "Show the configuration of the home",
     .description = "A flag is stronger than the environment, that than the home's config.json, "
                    "that than the user's, that than the defaults: docs/configuration.md.",
     .positionals = kConfigShowPositionals,
     .flags = kConfigShowFlags,
     .examples = kConfigShowExamples,
     .exits = kConfigReadExits,
     .stream = "settings",
     .run = config_show,
     .text = config_show_text},
    {.name = "config:path",
     .summary = "Say which files hold the configuration",
     .exits = kConfigReadExits,
     .run = config_path,
     .text = config_path_text},
    {.name = "trust",
     .summary = "Let a home that was found run programs",
     .description =
         "A home that you name (--home, $REPRISE_HOME, ~/.reprise) is your own word. One that was "
         "found above the working directory, or by the path of a run, may have come with "
         "somebody's "
         "repository: what its config.json names and its runs ask for is run only after this "
         "command, and after a change of config.json only after another one.",
     .flags = kTrustFlags,
     .examples = kTrustExamples,
     .exits = kTrustExits,
     .changes_else = true,
     .run = trust,
     .text = trust_text},
    {.name = "doctor",
     .summary = "Say what is wrong with the home, and how to mend it",
     .description = "Looks at the folder, its modes and its trust, the configuration, the disk and "
                    "its file system, the clock, the executors' programs and keys, the sandbox and "
                    "the modules. It runs nothing, and without --fix it changes nothing. Exits 1 "
                    "when there is a problem.",
     .flags = kDoctorFlags,
     .examples = kDoctorExamples,
     .exits = kDoctorExits,
     .changes_else = true,
     .stream = "findings",
     .run = doctor,
     .text = doctor_text},
    {.name = "backup",
     .summary = "Copy the home while commands go on",
     .description =
         "The copy is a home: to restore it, name it with --home or put it in place. Each "
         "run is copied as it stood at one moment. What the engine derives is made anew "
         "or left out; trust is not part of a home. A run that is damaged is copied as "
         "it is, and named; the command then exits 1.",
     .positionals = kBackupPositionals,
     .flags = kBackupFlags,
     .examples = kBackupExamples,
     .exits = kBackupExits,
     .changes_else = true,
     .run = backup,
     .text = backup_text},
};

}  // namespace

std::span<const CommandSpec> home_table() { return kHomeTable; }

}  // namespace reprise
