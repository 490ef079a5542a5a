// Files that the user named: results, inputs, sources.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reprise {

/// No file of a user's may be longer, but for one that holds nothing than a value.
constexpr size_t kLargestUserFile = size_t{256} << 20U;
constexpr size_t kLargestValueFile = size_t{1} << 30U;

/// The whole file; `name` "-" is standard input. A relative name is looked for in each of
/// `folders`, in order. Errors FILE_NOT_FOUND (exit 3, says where it was looked for),
/// FILE_TOO_LARGE (exit 2: more than `most` bytes), system errors. `flag` is what named it.
std::string read_user_file(const std::string& name, const std::vector<std::string>& folders,
                           std::string_view flag, size_t most = kLargestUserFile);

/// A source file at an absolute path; nullopt when nothing is there. It must be a regular file.
std::optional<std::string> read_source_file(const std::string& path);

/// Error SYSTEM_ERROR when the process has none (it was removed).
std::string working_folder();

}  // namespace reprise
