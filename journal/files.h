// What the program needs of a file system, as an interface with three implementations: the real one
// (real_files.h), an in-memory one for tests (journal/memory_files.h) and a wrapper that
// injects faults.
//
// Every path below a Dir is relative, uses '/', and is refused (Error, INVALID_PATH, exit 2) when
// it is empty, absolute, or holds an empty, "." or ".." component or a NUL. No component may be a
// symbolic link, and what is opened as a file must be a regular file: anything planted there is an
// Error (NOT_A_FILE, exit 5) that names it. A system call that fails is an Error with
// Exit::kSystem, except where a method says otherwise. EINTR and short reads or writes are
// continued inside.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reprise {

/// Long files are read and written in pieces of this size: a kernel that is given a gigabyte at
/// once takes ten times as long for it as for its pieces.
constexpr size_t kPieceBytes = size_t{1} << 20U;

struct FileStat {
  uint64_t device = 0;
  uint64_t inode = 0;
  uint64_t size = 0;
  bool directory = false;
  int64_t modified_ms = 0;
};

/// An open regular file; closed by its destructor.
class File {
 public:
  virtual ~File() = default;
  /// Reads until `size` bytes or the end of the file; returns how many.
  virtual size_t read_at(uint64_t offset, char* buffer, size_t size) = 0;
  /// Writes all bytes, in one system call unless the kernel takes fewer.
  virtual void write_at(uint64_t offset, std::string_view bytes) = 0;
  /// fdatasync: returns only when data and size are durable. A failed sync must never be retried
  /// and believed.
  virtual void sync() = 0;
  virtual void truncate(uint64_t size) = 0;
  virtual FileStat stat() = 0;
};

/// A held kernel lock; released by its destructor (and by the kernel when the process dies).
class FileLock {
 public:
  virtual ~FileLock() = default;
};

enum class Access {
  kRead,
  kWrite,      ///< read and write, must exist
  kCreate,     ///< read and write, created when missing
  kCreateNew,  ///< read and write, must not exist
};
enum class LockMode { kShared, kExclusive };

/// Names the time since the machine started; all zero when it is unknown.
using BootId = std::array<uint8_t, 16>;

/// An open directory; closed by its destructor. Files are made 0600, directories 0700; 0660 and
/// 2770 below one that is 2770 itself: it is shared with its group.
class Dir {
 public:
  virtual ~Dir() = default;

  /// nullptr when the file does not exist (kRead, kWrite) or exists already (kCreateNew).
  virtual std::unique_ptr<File> open(std::string_view path, Access access) = 0;
  /// nullptr when the directory does not exist.
  virtual std::unique_ptr<Dir> open_dir(std::string_view path) = 0;
  /// nullopt when nothing is there. Does not follow links.
  virtual std::optional<FileStat> stat(std::string_view path) = 0;
  /// Makes the directory and its missing parents; an existing one is fine. Returns whether it made
  /// the last one.
  virtual bool make_dir(std::string_view path) = 0;
  /// Names in the directory at `path` ("" for this one), sorted, without "." and "..". Empty when
  /// it does not exist.
  virtual std::vector<std::string> list(std::string_view path) = 0;
  /// Atomically replaces `to`. With `replace` false an existing `to` is left alone and false is
  /// returned.
  virtual bool rename(std::string_view from, std::string_view to, bool replace) = 0;
  /// Removes a file, or a directory that is empty. Returns false when nothing was there or the
  /// directory was not empty.
  virtual bool remove(std::string_view path) = 0;
  /// Removes a directory and all below it, following nothing. For folders that this program built
  /// aside.
  virtual void remove_tree(std::string_view path) = 0;
  /// Makes names created, renamed or removed in the directory at `path` ("" for this one) durable.
  virtual void sync_dir(std::string_view path) = 0;

  /// Locks the file at `path` (made when missing), waiting at most `timeout_ms`; nullptr when it
  /// was not free in time. The lock is on the file that is at the path when it returns: one that
  /// was replaced meanwhile is locked anew. An exclusive holder's pid and `holder` are written into
  /// the file, for people only.
  virtual std::unique_ptr<FileLock> lock(std::string_view path, LockMode mode, int64_t timeout_ms,
                                         std::string_view holder) = 0;

  /// Where this directory is, for messages.
  virtual std::string path() const = 0;

  /// This boot of the machine: what was written during it and not synced can still be read (read at
  /// every call).
  virtual BootId boot_id() = 0;
};

/// Throws what Dir says of a path that is not acceptable. For implementations of Dir.
void check_path(std::string_view path);

/// The whole file, or nullopt when it does not exist.
std::optional<std::string> read_file(Dir& dir, std::string_view path);

/// Writes `bytes` beside `path` and renames it into place: readers see the old file or the new one.
/// With `durable` the bytes and the name are synced before it returns (two syncs).
void replace_file(Dir& dir, std::string_view path, std::string_view bytes, bool durable);

/// Makes a file that must not exist yet; with `durable` its bytes are synced (its name is not: see
/// sync_dir).
void write_new_file(Dir& dir, std::string_view path, std::string_view bytes, bool durable);

}  // namespace reprise
