// One openat2 where the kernel has it (5.6): it refuses links and `..` by itself. Otherwise the
// path is walked.
#include "journal/real_lookup.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace reprise {

namespace {

constexpr int kFileFlags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
constexpr int kDirFlags = O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW;

int retry_openat(int dir, const char* path, int flags, mode_t mode) {
  int fd = -1;
  do {
    fd = openat(dir, path, flags, mode);
  } while (fd < 0 && errno == EINTR);
  return fd;
}

int openat2_below(int dir, const char* path, int flags, mode_t mode) {
  open_how how{};
  how.flags = static_cast<uint64_t>(static_cast<unsigned>(flags));
  how.mode = (flags & O_CREAT) != 0 ? mode : 0;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  long fd = -1;
  do {
    fd = syscall(SYS_openat2, dir, path, &how, sizeof how);
  } while (fd < 0 && (errno == EINTR || errno == EAGAIN));
  return static_cast<int>(fd);
}

/// Opens the directories on the way to the last component; `rest` becomes that component.
Fd walk(int dir, std::string_view* rest) {
  Fd at;
  for (size_t slash = rest->find('/'); slash != std::string_view::npos; slash = rest->find('/')) {
    const std::string part(rest->substr(0, slash));
    at = Fd(retry_openat(at.valid() ? at.get() : dir, part.c_str(), kDirFlags, 0));
    if (!at.valid()) return at;
    rest->remove_prefix(slash + 1);
  }
  return at;
}

}  // namespace

Fd& Fd::operator=(Fd&& other) noexcept {
  if (this != &other) {
    if (x_fd >= 0) close(x_fd);
    x_fd = other.release();
  }
  return *this;
}

Fd::~Fd() {
  if (x_fd >= 0) close(x_fd);
}

Fd open_below(int dir, std::string_view path, int flags, mode_t mode, Lookup* lookup) {
  flags |= (flags & O_DIRECTORY) != 0 ? O_CLOEXEC | O_NOFOLLOW : kFileFlags;
  if (*lookup == Lookup::kKernel) {
    const int fd = openat2_below(dir, std::string(path).c_str(), flags, mode);
    if (fd >= 0 || (errno != ENOSYS && errno != EPERM)) return Fd(fd);
    *lookup = Lookup::kByComponent;  // an old kernel, or a sandbox that does not know the call
  }
  std::string_view name = path;
  Fd parent;
  if (path.find('/') != std::string_view::npos) {
    parent = walk(dir, &name);
    if (!parent.valid()) return parent;
  }
  return Fd(
      retry_openat(parent.valid() ? parent.get() : dir, std::string(name).c_str(), flags, mode));
}

Parent open_parent(int dir, std::string_view path, Lookup* lookup) {
  Parent parent;
  const size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) {
    parent.fd = dir;
    parent.name = path;
    return parent;
  }
  parent.owned = open_below(dir, path.substr(0, slash), O_PATH | O_DIRECTORY, 0, lookup);
  parent.fd = parent.owned.get();
  parent.name = path.substr(slash + 1);
  return parent;
}

void share_file(int fd, const struct stat& status, std::string_view path) {
  constexpr mode_t kSharedFileMode = 0660;
  if ((status.st_mode & kSharedFileMode) == kSharedFileMode || status.st_uid != geteuid()) return;
  if (fchmod(fd, kSharedFileMode) != 0) throw system_error("share", path, errno);
}

Error not_a_file(std::string_view path, std::string_view what) {
  return Error(Exit::kCorrupt, "NOT_A_FILE", std::string(path) + " is " + std::string(what),
               "reprise did not put it there; move it away");
}

Error lookup_error(std::string_view operation, std::string_view path, int errno_value) {
  switch (errno_value) {
    case ELOOP:
    case EXDEV:
      return not_a_file(path, "a symbolic link, or lies behind one");
    case ENOTDIR:
      return not_a_file(path, "no directory, or lies below something that is none");
    case EISDIR:
      return not_a_file(path, "a directory");
    case ENXIO:
    case ENODEV:
      return not_a_file(path, "a pipe, a socket or a device");
    default:
      return system_error(operation, path, errno_value);
  }
}

}  // namespace reprise
