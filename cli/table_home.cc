#include "cli/commands.h"
#include "cli/configured.h"
#include "cli/tables.h"

namespace reprise {
namespace {

constexpr Positional kConfigPositionals[] = {
    {"KEY", "drive.jobs, or drive for all that begins with it", true}};
constexpr Flag kConfigFlags[] = {{"--origin", "", "also where each value was said"}, kSetFlag};
constexpr Example kConfigExamples[] = {
    {"reprise config:show --origin", "everything, and where it was said"},
    {"reprise config:show drive.jobs --get /settings/0/value", "one value"},
};
constexpr Exit kConfigExits[] = {Exit::kNotFound};

constexpr Flag kTrustFlags[] = {
    {"--show", "", "only say whether it is trusted, and why"},
    {"--revoke", "", "forget that it was trusted"},
};
constexpr Example kTrustExamples[] = {
    {"reprise trust --show", "may this home run programs?"},
    {"reprise trust", "it may"},
};
constexpr Exit kTrustExits[] = {Exit::kNotFound, Exit::kLocked, Exit::kForbidden};

constexpr CommandSpec kHomeTable[] = {
    {.name = "config:show",
     .summary = "Show the configuration of the home",
     .description = "A flag is stronger than the environment, that than the home's config.json, "
                    "that than the user's, that than the defaults: docs/configuration.md.",
     .positionals = kConfigPositionals,
     .flags = kConfigFlags,
     .examples = kConfigExamples,
     .exits = kConfigExits,
     .writes = false,
     .stream = "settings",
     .run = config_show,
     .text = config_show_text},
    {.name = "config:path",
     .summary = "Say which files hold the configuration",
     .description = {},
     .positionals = {},
     .flags = {},
     .examples = {},
     .exits = kConfigExits,
     .writes = false,
     .stream = {},
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
     .positionals = {},
     .flags = kTrustFlags,
     .examples = kTrustExamples,
     .exits = kTrustExits,
     .writes = false,
     .stream = {},
     .run = trust,
     .text = trust_text},
};

}  // namespace

std::span<const CommandSpec> home_table() { return kHomeTable; }

}  // namespace reprise
