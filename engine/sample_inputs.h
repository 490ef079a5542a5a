// Inputs made up from how a process describes them, so that it can be tried.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/pin.h"
#include "engine/script_host.h"

namespace reprise {

/// From a type as authors write it behind @inputs, as "{ name: string, tags: string[], depth?:
/// number }": one value for each member that is not optional. JSON; nullopt when it cannot be read.
std::optional<std::string> sample_of_type(std::string_view type);

/// From the JSON Schema that the program exports as `inputSchema` (or has as a member of its
/// process function); nullopt when it has none. Inside ScriptHost::run, with a budget as
/// ScriptMachine has it.
std::optional<std::string> sample_of_schema(const ScriptHost& host, const PinnedProgram& program,
                                            int64_t budget_ms);

}  // namespace reprise
