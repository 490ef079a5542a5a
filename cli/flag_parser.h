// One command's words read by CLI11, as the command table describes the command. The only file that
// knows CLI11.
#pragma once

#include <string>
#include <vector>

#include "cli/arguments.h"

namespace reprise {

/// `words` are those behind the command's name. Errors (exit 2): UNKNOWN_FLAG, MISSING_ARGUMENT,
/// INVALID_ARGUMENT.
Arguments parse_flags(const CommandSpec& command, const std::vector<std::string>& words);

}  // namespace reprise
