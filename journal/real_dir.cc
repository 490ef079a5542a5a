// Directories and files on Linux. Each method is as few system calls as it can be: commands take
// about a millisecond.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "journal/ids.h"
#include "journal/real_files.h"
#include "journal/real_lock.h"
#include "journal/real_lookup.h"

namespace reprise {

namespace {

constexpr mode_t kFileMode = 0600;
constexpr mode_t kDirMode = 0700;
constexpr mode_t kSharedDirMode = 02770;

FileStat to_file_stat(const struct stat& from) {
  FileStat to;
  to.device = from.st_dev;
  to.inode = from.st_ino;
  to.size = static_cast<uint64_t>(from.st_size);
  to.directory = S_ISDIR(from.st_mode);
  to.modified_ms = from.st_mtim.tv_sec * 1000 + from.st_mtim.tv_nsec / 1'000'000;
  return to;
}

class RealFile final : public File {
 public:
  RealFile(Fd fd, std::string path) : x_fd(std::move(fd)), x_path(std::move(path)) {}

  size_t read_at(uint64_t offset, char* buffer, size_t size) override {
    size_t done = 0;
    while (done < size) {
      const ssize_t got =
          pread(x_fd.get(), buffer + done, size - done, static_cast<off_t>(offset + done));
      if (got == 0) break;
      if (got > 0) {
        done += static_cast<size_t>(got);
      } else if (errno != EINTR) {
        throw system_error("read", x_path, errno);
      }
    }
    return done;
  }

  void write_at(uint64_t offset, std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t put =
          pwrite(x_fd.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
      if (put < 0) {
        if (errno == EINTR) continue;
        throw system_error("write", x_path, errno);
      }
      bytes.remove_prefix(static_cast<size_t>(put));
      offset += static_cast<uint64_t>(put);
    }
  }

  void sync() override {
    if (fdatasync(x_fd.get()) != 0) throw system_error("sync", x_path, errno);
  }

  void truncate(uint64_t size) override {
    while (ftruncate(x_fd.get(), static_cast<off_t>(size)) != 0) {
      if (errno != EINTR) throw system_error("truncate", x_path, errno);
    }
  }

  FileStat stat() override {
    struct stat status;
    if (fstat(x_fd.get(), &status) != 0) throw system_error("stat", x_path, errno);
    return to_file_stat(status);
  }

 private:
  Fd x_fd;
  std::string x_path;
};

int open_flags(Access access) {
  switch (access) {
    case Access::kRead:
      return O_RDONLY;
    case Access::kWrite:
      return O_RDWR;
    case Access::kCreate:
      return O_RDWR | O_CREAT;
    case Access::kCreateNew:
      return O_RDWR | O_CREAT | O_EXCL;
  }
  return O_RDONLY;
}

/// Removes a directory and all that is below it; nothing when it is not there.
void remove_folder(int parent, const std::string& name, const std::string& path);

class RealDir final : public Dir {
 public:
  RealDir(Fd fd, std::string path, Lookup lookup, bool shared)
      : x_fd(std::move(fd)), x_path(std::move(path)), x_lookup(lookup), x_shared(shared) {}

  std::unique_ptr<File> open(std::string_view path, Access access) override;
  std::unique_ptr<Dir> open_dir(std::string_view path) override;
  std::optional<FileStat> stat(std::string_view path) override;
  bool make_dir(std::string_view path) override;
  std::vector<std::string> list(std::string_view path) override;
  bool rename(std::string_view from, std::string_view to, bool replace) override;
  bool remove(std::string_view path) override;
  void remove_tree(std::string_view path) override;
  void sync_dir(std::string_view path) override;
  std::unique_ptr<FileLock> lock(std::string_view path, LockMode mode, int64_t timeout_ms,
                                 std::string_view holder) override;
  std::string path() const override { return x_path; }
  BootId boot_id() override;

 private:
  std::string full(std::string_view path) const {
    return path.empty() ? x_path : x_path + '/' + std::string(path);
  }
  /// Opens the directory at `path` ("" for this one) for reading; invalid with errno when that
  /// fails.
  Fd open_for_reading(std::string_view path) {
    if (path.empty()) return Fd(openat(x_fd.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    check_path(path);
    return open_below(x_fd.get(), path, O_RDONLY | O_DIRECTORY, 0, &x_lookup);
  }
  Parent parent_of(std::string_view path) {
    check_path(path);
    return open_parent(x_fd.get(), path, &x_lookup);
  }

  Fd x_fd;
  std::string x_path;
  Lookup x_lookup;
  bool x_shared;  ///< with its group, and so is all that is made in it
};

std::unique_ptr<File> RealDir::open(std::string_view path, Access access) {
  check_path(path);
  Fd fd = open_below(x_fd.get(), path, open_flags(access), kFileMode, &x_lookup);
  if (!fd.valid()) {
    const bool may_miss = access == Access::kRead || access == Access::kWrite;
    if (may_miss && errno == ENOENT) return nullptr;
    if (access == Access::kCreateNew && errno == EEXIST) return nullptr;
    throw lookup_error("open", full(path), errno);
  }
  struct stat status;
  if (fstat(fd.get(), &status) != 0) throw system_error("stat", full(path), errno);
  if (!S_ISREG(status.st_mode)) throw not_a_file(full(path), "not a regular file");
  const bool may_be_new = access == Access::kCreate || access == Access::kCreateNew;
  if (x_shared && may_be_new) share_file(fd.get(), status, full(path));
  return std::make_unique<RealFile>(std::move(fd), full(path));
}

std::unique_ptr<Dir> RealDir::open_dir(std::string_view path) {
  check_path(path);
  Fd fd = open_below(x_fd.get(), path, O_RDONLY | O_DIRECTORY, 0, &x_lookup);
  if (fd.valid()) return std::make_unique<RealDir>(std::move(fd), full(path), x_lookup, x_shared);
  if (errno == ENOENT) return nullptr;
  throw lookup_error("open", full(path), errno);
}

std::optional<FileStat> RealDir::stat(std::string_view path) {
  const Parent parent = parent_of(path);
  struct stat status;
  if (parent.fd >= 0 &&
      fstatat(parent.fd, parent.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) {
    return to_file_stat(status);
  }
  if (errno == ENOENT) return std::nullopt;
  throw lookup_error("stat", full(path), errno);
}

bool RealDir::make_dir(std::string_view path) {
  Parent parent = parent_of(path);
  if (parent.fd < 0 && errno == ENOENT) {
    make_dir(path.substr(0, path.rfind('/')));
    parent = parent_of(path);
  }
  if (parent.fd < 0) throw lookup_error("create", full(path), errno);
  if (mkdirat(parent.fd, parent.name.c_str(), kDirMode) == 0) {
    if (x_shared && fchmodat(parent.fd, parent.name.c_str(), kSharedDirMode, 0) != 0) {
      throw system_error("share", full(path), errno);
    }
    return true;
  }
  if (errno != EEXIST) throw lookup_error("create", full(path), errno);
  const std::optional<FileStat> there = stat(path);
  if (there && !there->directory) throw not_a_file(full(path), "not a directory");
  return false;
}

std::vector<std::string> RealDir::list(std::string_view path) {
  Fd fd = open_for_reading(path);
  if (!fd.valid()) {
    if (errno == ENOENT) return {};
    throw lookup_error("list", full(path), errno);
  }
  const std::unique_ptr<DIR, int (*)(DIR*)> dir(fdopendir(fd.get()), closedir);
  if (!dir) throw system_error("list", full(path), errno);
  fd.release();
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = readdir(dir.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
    errno = 0;
  }
  if (errno != 0) throw system_error("list", full(path), errno);
  std::sort(names.begin(), names.end());
  return names;
}

bool RealDir::rename(std::string_view from, std::string_view to, bool replace) {
  const Parent source = parent_of(from);
  if (source.fd < 0) throw lookup_error("rename", full(from), errno);
  const Parent target = parent_of(to);
  if (target.fd < 0) throw lookup_error("rename", full(to), errno);
  if (renameat2(source.fd, source.name.c_str(), target.fd, target.name.c_str(),
                replace ? 0 : RENAME_NOREPLACE) == 0) {
    return true;
  }
  if (!replace && errno == EEXIST) return false;
  throw lookup_error("rename", full(from) + " to " + full(to), errno);
}

bool RealDir::remove(std::string_view path) {
  const Parent parent = parent_of(path);
  if (parent.fd >= 0) {
    if (unlinkat(parent.fd, parent.name.c_str(), 0) == 0) return true;
    if (errno == EISDIR || errno == EPERM) {
      if (unlinkat(parent.fd, parent.name.c_str(), AT_REMOVEDIR) == 0) return true;
      if (errno == ENOTEMPTY || errno == EEXIST) return false;
    }
  }
  if (errno == ENOENT) return false;
  throw lookup_error("remove", full(path), errno);
}

void RealDir::remove_tree(std::string_view path) {
  const Parent parent = parent_of(path);
  if (parent.fd < 0) {
    if (errno == ENOENT) return;
    throw lookup_error("remove", full(path), errno);
  }
  remove_folder(parent.fd, parent.name, full(path));
}

void RealDir::sync_dir(std::string_view path) {
  if (path.empty()) {
    if (fsync(x_fd.get()) != 0) throw system_error("sync", full(path), errno);
    return;
  }
  const Fd fd = open_for_reading(path);
  if (!fd.valid()) throw lookup_error("sync", full(path), errno);
  if (fsync(fd.get()) != 0) throw system_error("sync", full(path), errno);
}

std::unique_ptr<FileLock> RealDir::lock(std::string_view path, LockMode mode, int64_t timeout_ms,
                                        std::string_view holder) {
  check_path(path);
  return lock_file({x_fd.get(), x_shared, &x_lookup}, path, full(path), mode, timeout_ms, holder);
}

/// Zeros when it is unknown.
BootId read_boot_id() {
  // "1b4e28ba-2fa1-11d2-883f-0016d3cca427"
  char text[36];
  const Fd fd(::open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC));
  if (!fd.valid() || read(fd.get(), text, sizeof text) != sizeof text) return {};
  std::string digits;
  std::copy_if(text, text + sizeof text, std::back_inserter(digits),
               [](char c) { return c != '-'; });
  if (digits.size() != 32) return {};
  BootId id{};
  for (size_t half = 0; half < 2; half++) {
    uint64_t value = parse_hex64(std::string_view(digits).substr(half * 16, 16)).value_or(0);
    for (size_t i = 8; i-- > 0; value >>= 8) id[half * 8 + i] = static_cast<uint8_t>(value & 0xff);
  }
  return id;
}

BootId RealDir::boot_id() {
  static const BootId kId = read_boot_id();  // no process outlives its boot
  return kId;
}

/// Removes what is below an open directory. Takes the descriptor.
void remove_below(Fd dir, const std::string& path) {
  const int fd = dir.get();
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(fdopendir(fd), closedir);
  if (!stream) throw system_error("list", path, errno);
  dir.release();
  while (const dirent* entry = readdir(stream.get())) {
    const std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    std::string there = path;
    there += '/';
    there += name;
    if (unlinkat(fd, name.c_str(), 0) == 0 || errno == ENOENT) continue;
    if (errno != EISDIR && errno != EPERM) throw system_error("remove", there, errno);
    remove_folder(fd, name, there);
  }
}

/// Whoever still works there may add something while the folder is emptied: that goes, too.
void remove_folder(int parent, const std::string& name, const std::string& path) {
  constexpr int kMostTries = 1000;
  for (int tries = 1;; ++tries) {
    Fd folder(openat(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
    if (!folder.valid() && errno == ENOENT) return;
    if (!folder.valid()) throw lookup_error("remove", path, errno);
    remove_below(std::move(folder), path);
    if (unlinkat(parent, name.c_str(), AT_REMOVEDIR) == 0 || errno == ENOENT) return;
    if (errno != ENOTEMPTY || tries == kMostTries) throw system_error("remove", path, errno);
  }
}

/// Makes the name of a new directory durable.
void sync_parent(const std::string& path) {
  const std::string parent = path.substr(0, path.rfind('/') + 1);
  const Fd fd(open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.valid() || fsync(fd.get()) != 0) throw system_error("sync", parent, errno);
}

/// Like `mkdir -p`, following links: the path is the user's own.
void make_path(const std::string& path) {
  for (size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string part = path.substr(0, end);
    if (mkdir(part.c_str(), kDirMode) == 0) {
      sync_parent(part);
    } else if (errno != EEXIST) {
      throw system_error("create", part, errno);
    }
    if (end == std::string::npos) return;
  }
}

}  // namespace

std::unique_ptr<Dir> open_real_dir(const std::string& path, bool create, Lookup lookup) {
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
  Fd fd(open(path.c_str(), kFlags));
  if (!fd.valid() && errno == ENOENT && create && !path.empty()) {
    make_path(path);
    fd = Fd(open(path.c_str(), kFlags));
  }
  if (!fd.valid() && errno == ENOENT) return nullptr;
  struct stat status;
  if (!fd.valid() || fstat(fd.get(), &status) != 0) throw system_error("open", path, errno);
  const bool shared = (status.st_mode & kSharedDirMode) == kSharedDirMode;
  return std::make_unique<RealDir>(std::move(fd), path, lookup, shared);
}

std::unique_ptr<Dir> existing_real_dir(const std::string& path) {
  if (auto dir = open_real_dir(path, false)) return dir;
  throw Error(Exit::kNotFound, "FOLDER_GONE", path + " does not exist any more",
              "another command removed it; make it again, or name another");
}

}  // namespace reprise
