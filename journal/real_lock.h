// flock on a file below a directory, with a bounded wait.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "journal/files.h"
#include "journal/real_lookup.h"

namespace reprise {

/// Dir::lock for the directory `dir`; `shown` is the path for messages.
std::unique_ptr<FileLock> lock_file(int dir, std::string_view path, const std::string& shown,
                                    LockMode mode, int64_t timeout_ms, std::string_view holder,
                                    Lookup* lookup);

}  // namespace reprise
