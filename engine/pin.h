// Pinning: finding every module that an entry imports and copying them into the run, so that
// editing the source does not touch a running run.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/script_host.h"
#include "engine/script_machine.h"
#include "journal/error.h"

namespace reprise {

struct PinnedProgram {
  std::string root;   ///< the folder that holds all modules
  std::string entry;  ///< path of the entry below it
  std::vector<PinnedSource> sources;
};

/// Reads a file of the user's; nullopt when there is none.
using SourceReader = std::function<std::optional<std::string>(const std::string& absolute_path)>;

/// Takes an import that cannot be followed: IMPORT_REFUSED or IMPORT_NOT_FOUND (exit 2), whose
/// details are {"message","file","line","column"}.
using ImportRefusal = std::function<void(const Error& error)>;

/// Follows the imports of the file at `entry` (absolute). Inside ScriptHost::run. Errors
/// ENTRY_NOT_FOUND (exit 3) and SCRIPT_INVALID (exit 2) with file, line and column. `refuse` is
/// told of each import that cannot be followed; what it throws ends the search.
PinnedProgram pin_program(const ScriptHost& host, const std::string& entry,
                          const SourceReader& read, const ImportRefusal& refuse);
/// The same, with the first such import as an error.
PinnedProgram pin_program(const ScriptHost& host, const std::string& entry,
                          const SourceReader& read);

}  // namespace reprise
