// Flags that lists have in common, and the last line of their text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "cli/arguments.h"
#include "cli/reply.h"

namespace reprise {

/// --limit, or without end for --all.
uint64_t limit_flag(const Arguments& arguments, uint64_t otherwise);

/// --since: a time, or a duration before now. Error INVALID_ARGUMENT, exit 2.
std::optional<int64_t> since_flag(const Arguments& arguments, int64_t now_ms);

/// --after RUN/EFFECT of a list over several runs; an empty run without it. Error INVALID_ARGUMENT.
std::pair<std::string, uint64_t> effect_cursor_flag(const Arguments& arguments);

/// "more: --after CURSOR or --all" when the list was cut, else nothing.
std::string more_hint(const Document& document);

}  // namespace reprise
