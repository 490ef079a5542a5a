// Paths in a configuration file: relative ones are relative to the folder that the file lies in,
// wherever the command that reads it was started.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace reprise {

/// Makes the relative paths in a checked configuration absolute: of executors cwd, writable,
/// caFile, files that hold secrets, and programs; the programs of hooks. A program's word without a
/// slash is a name, which is looked for in PATH; "~/" at the beginning of a path stays. `folder` is
/// absolute.
void resolve_paths(nlohmann::json& config, const std::string& folder);

}  // namespace reprise
