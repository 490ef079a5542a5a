// How a command line names a process and what it works on: --entry or --process, --inputs and
// --input.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "engine/create.h"
#include "journal/value.h"

namespace reprise {

/// "path/to/file.js#export" from the working directory, as entry and export_name of a choice; or
/// "builtin:NAME".
ProcessChoice choose_entry(std::string entry, const std::string& working_dir);

/// From --entry, --process and --process-id. Error INVALID_ARGUMENT, exit 2, for both of the first.
ProcessChoice choose_process(const Arguments& arguments, const std::string& working_dir);

/// From --inputs and --input. Errors: those of read_user_file and parse_value, INVALID_JSON for an
/// empty file.
Value read_inputs(const Arguments& arguments, const std::string& working_dir);

/// A warning for each of the flags that was given: drivers of babysitter say them.
std::vector<std::string> without_meaning(const Arguments& arguments,
                                         std::initializer_list<const char*> flags);

}  // namespace reprise
