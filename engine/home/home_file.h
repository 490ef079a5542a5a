// The files of a user and of a home that people write by hand.
#pragma once

#include <optional>
#include <string>

namespace reprise {

constexpr size_t kLargestHomeFile = size_t{1} << 20U;

/// The whole file at an absolute path, links followed; nullopt when nothing is there. Errors:
/// CONFIG_INVALID, exit 2, when it is no regular file or larger than that; system errors.
std::optional<std::string> read_home_file(const std::string& path);

}  // namespace reprise
