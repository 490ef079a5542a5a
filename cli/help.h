// The command table as text for people, and as docs/cli.md.
#pragma once

#include <string>
#include <string_view>

#include "cli/command_table.h"

namespace reprise {

/// All commands, one line each, and what holds for all of them.
std::string help_overview(const Style& style);
/// The commands of one noun ("run"); empty when there is no such noun.
std::string help_noun(std::string_view noun, const Style& style);
std::string help_command(const CommandSpec& command, const Style& style);

/// docs/cli.md. A test compares the file with this; scripts/docs writes it.
std::string help_markdown();

}  // namespace reprise
