// A directory whose operations are counted, and one of which can be made to fail.
#pragma once

#include <cerrno>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "journal/files.h"

namespace reprise {

/// Shared by a FaultDir and everything opened through it.
struct Faults {
  uint64_t count = 0;         ///< operations so far
  uint64_t fail_at = 0;       ///< the operation that fails, from 1; 0: none
  bool from_then_on = false;  ///< all later ones fail, too
  bool short_write = false;   ///< a failing write writes half of its bytes first
  bool forgets = false;       ///< no file is synced, and nobody is told
  int error = EIO;
  std::vector<std::string> log;  ///< "sync journal/00000001.jsonl"

  /// Counts an operation; says whether it is to fail.
  bool next(std::string_view operation, std::string_view path);
};

/// Every operation goes to `dir` unless it is to fail; then it throws the Error of a failed system
/// call and, but for a short write, does nothing. A failing sync on memory_files.h loses what it
/// should have made durable.
std::unique_ptr<Dir> with_faults(std::unique_ptr<Dir> dir, Faults& faults);

}  // namespace reprise
