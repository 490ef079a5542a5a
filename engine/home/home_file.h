// The files of a user and of a home that people write by hand.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "journal/files.h"

namespace reprise {

constexpr size_t kLargestHomeFile = size_t{1} << 20U;

/// The whole file at an absolute path, links followed; nullopt when nothing is there. Errors:
/// CONFIG_INVALID, exit 2, when it is no regular file or larger than that; system errors.
std::optional<std::string> read_home_file(const std::string& path);

/// Held while a file of the folder is read, changed and replaced, so that two commands that do so
/// at once lose nothing of each other: "config.json" is locked by "config.lock" beside it. Error
/// LOCKED, exit 7, after ten seconds.
std::unique_ptr<FileLock> lock_home_file(Dir& folder, const std::string& name);

}  // namespace reprise
