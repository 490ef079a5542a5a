// Inputs against what the process itself declares of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/pin.h"
#include "engine/script_host.h"

namespace reprise {

/// What the file at `entry` (absolute) says of its inputs and these, JSON, are not: by the JSON
/// Schema that it exports as inputSchema, else by the members that its @inputs comment names.
/// Empty for files that declare nothing; those are not even loaded. What cannot be read says
/// nothing.
std::vector<std::string> input_warnings(ScriptHost& scripts, const SourceReader& read,
                                        const std::string& entry, std::string_view inputs);

}  // namespace reprise
