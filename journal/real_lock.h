// flock on a file below a directory, with a bounded wait.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "journal/files.h"
#include "journal/real_lookup.h"

namespace reprise {

struct LockFolder {
  int fd = -1;
  bool shared = false;  ///< with its group: so is a lock file that is made in it
  Lookup* lookup = nullptr;
};

/// Dir::lock for that folder; `shown` is the path for messages.
std::unique_ptr<FileLock> lock_file(const LockFolder& dir, std::string_view path,
                                    const std::string& shown, LockMode mode, int64_t timeout_ms,
                                    std::string_view holder);

/// Locks an open file; false when it was not free in time. The lock ends with the descriptor.
bool wait_for_lock(int fd, LockMode mode, int64_t timeout_ms, const std::string& shown);

}  // namespace reprise
