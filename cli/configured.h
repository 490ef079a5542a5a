// The configuration and the trust of a home, as a command meets them.
#pragma once

#include <string>

#include "cli/arguments.h"
#include "engine/home/config.h"
#include "engine/home/trust.h"
#include "engine/workspace.h"

namespace reprise {

/// For the tables of commands that read the configuration.
constexpr Flag kSetFlag = {"--set", "KEY=VALUE",
                           "a key of the configuration for this command, as drive.jobs=8", false,
                           true};

/// Where the configuration of a home stands: its config.json and the user's, the environment, and
/// --set if the command has it.
ConfigSources config_sources(const Arguments& arguments, const HomePlace& home);
/// Error CONFIG_INVALID, exit 2.
Config configuration(const Arguments& arguments, const HomePlace& home);

/// The folder of the user's own trust.json; empty when neither $XDG_STATE_HOME nor $HOME is set.
std::string state_folder();
/// Error UNTRUSTED_HOME, exit 13, unless what the home and its runs ask for may be run.
void require_trust(const HomePlace& home);

}  // namespace reprise
