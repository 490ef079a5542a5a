// A JSON value as task:post and run:signal take it: --value FILE|- or --value-inline JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "journal/value.h"

namespace reprise {

/// nullopt when neither flag was given. Errors: INVALID_ARGUMENT (exit 2) for both, those of
/// read_user_file and parse_value.
std::optional<Value> read_value_flags(const Arguments& arguments,
                                      const std::vector<std::string>& folders);

}  // namespace reprise
