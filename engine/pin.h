// Pinning: finding every module that an entry imports and copying them into the run, so that
// editing the source does not touch a running run.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/script_host.h"
#include "engine/script_machine.h"

namespace reprise {

struct PinnedProgram {
  std::string root;   ///< the folder that holds all modules
  std::string entry;  ///< path of the entry below it
  std::vector<PinnedSource> sources;
};

/// Reads a file of the user's; nullopt when there is none.
using SourceReader = std::function<std::optional<std::string>(const std::string& absolute_path)>;

/// Follows the imports of the file at `entry` (absolute). Inside ScriptHost::run. Errors
/// ENTRY_NOT_FOUND (exit 3), SCRIPT_INVALID, IMPORT_REFUSED and IMPORT_NOT_FOUND (exit 2), each
/// with file, line and column of the import.
PinnedProgram pin_program(const ScriptHost& host, const std::string& entry,
                          const SourceReader& read);

}  // namespace reprise
