// What stands in a process instead of what its author is used to: docs/determinism.md has the whole
// table. For the texts of commands; nothing of it is recorded.
#pragma once

#include <string>
#include <string_view>

namespace reprise {

/// For an error of the script engine, by its message and the file it is in; empty when there is
/// nothing to say.
std::string script_hint(std::string_view message, std::string_view file = {});

}  // namespace reprise
