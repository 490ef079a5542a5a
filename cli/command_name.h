// Which command the words mean: `run:create`, `run create`, `schema`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "journal/error.h"

namespace reprise {

/// Takes the command's name out of the words, behind any global flags; empty when there is none.
/// A name that no command has is returned as typed.
std::string take_command_name(std::vector<std::string>& words);

/// UNKNOWN_COMMAND, exit 2; lists the verbs of a bare noun, or says what was probably meant.
Error unknown_command(std::string_view name);

/// "--flag" and "-f", but not "-": that is standard input.
bool is_flag(std::string_view word);

}  // namespace reprise
