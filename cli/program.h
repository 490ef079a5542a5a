// One invocation from words to an exit code.
#pragma once

#include <string>
#include <vector>

#include "journal/error.h"

namespace reprise {

/// Understands the words, runs the command, prints its reply or its error, and returns the exit
/// code. Throws nothing.
Exit run_program(const std::vector<std::string>& words) noexcept;

}  // namespace reprise
