// Checks many process files, each in a fresh realm of one script engine. The engine lives in a
// child process: a file that exceeds its budget ends that process, never the check.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/check_process.h"

namespace reprise {

/// The results in the order of the files. `scripts` must not have run anything yet: the engine
/// cannot be forked. Errors SCRIPT_ENGINE_MISSING, SCRIPT_ENGINE_FAILED (exit 70, when
/// it does not start), system errors.
std::vector<CheckedFile> check_files(const ScriptHost& scripts,
                                     const std::vector<FileToCheck>& files,
                                     const SourceReader& read,
                                     const std::optional<std::string>& inputs);

}  // namespace reprise
