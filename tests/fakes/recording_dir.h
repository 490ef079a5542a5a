// A directory that writes down what a disk is told, in order: bytes, sizes, names, syncs. From such
// a log tests/power makes the disks that a power failure may leave.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "journal/memory_files.h"

namespace reprise {

/// One change. Files and folders are nodes, named by their inode.
struct DiskChange {
  enum class Kind : uint8_t {
    kWrite,      ///< `bytes` at `offset` of the file `node`
    kTruncate,   ///< the file `node` to the size `offset`
    kSync,       ///< the bytes and the size of `node`
    kMake,       ///< the new file or folder `child` in `node`, as `name`
    kRename,     ///< `name` in `node` becomes `to_name` in `to_node`; that is `child`
    kRemove,     ///< `name` in `node`
    kSyncNames,  ///< the names in `node`
  };
  Kind kind{};
  uint64_t node = 0;
  uint64_t offset = 0;
  std::string bytes;
  std::string name;
  uint64_t child = 0;
  bool folder = false;  ///< kMake: `child` is one
  uint64_t to_node = 0;
  std::string to_name;
};

struct DiskLog {
  static constexpr uint64_t kRoot = 1;  ///< the inode of a MemoryFiles' root

  std::vector<DiskChange> changes;
  /// What a broken program would not sync, by path: "/memory/r/journal/00000001.jsonl". The syncs
  /// of folders end with a slash. Empty: nothing.
  std::function<bool(const std::string& path)> forgets;
};

/// The root of `files`; the log lives longer than everything opened through it.
std::unique_ptr<Dir> with_log(MemoryFiles& files, DiskLog& log);

}  // namespace reprise
