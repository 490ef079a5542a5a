// The Linux implementation of files.h: openat2 below a directory, flock, fdatasync.
#pragma once

#include <memory>
#include <string>

#include "journal/files.h"

namespace reprise {

/// How a path below a directory is followed: by the kernel in one call, or component by component,
/// as on kernels and in sandboxes without openat2 (found out by itself).
enum class Lookup { kKernel, kByComponent };

/// Opens the directory at any path (links in the path itself are followed: it is the user's own);
/// nullptr when it does not exist. With `create` it and its parents are made, 0700.
std::unique_ptr<Dir> open_real_dir(const std::string& path, bool create,
                                   Lookup lookup = Lookup::kKernel);

/// Opens a directory that was there a moment ago. Error FOLDER_GONE, exit 3.
std::unique_ptr<Dir> existing_real_dir(const std::string& path);

}  // namespace reprise
