// Following a path below a directory without ever leaving it.
#pragma once

#include <sys/stat.h>

#include <string>
#include <string_view>

#include "journal/error.h"
#include "journal/real_files.h"

namespace reprise {

/// A file descriptor that closes itself.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : x_fd(fd) {}
  Fd(Fd&& other) noexcept : x_fd(other.release()) {}
  Fd& operator=(Fd&& other) noexcept;
  ~Fd();

  int get() const { return x_fd; }
  bool valid() const { return x_fd >= 0; }
  int release() {
    const int fd = x_fd;
    x_fd = -1;
    return fd;
  }

 private:
  int x_fd = -1;
};

/// Opens what is at `path` below `dir` without following any link. O_CLOEXEC, O_NOFOLLOW and, for
/// files, O_NONBLOCK are added. Returns an invalid Fd with errno set when that fails. `lookup`
/// becomes kByComponent where the kernel has no openat2 or does not let us use it.
Fd open_below(int dir, std::string_view path, int flags, mode_t mode, Lookup* lookup);

/// The directory that holds the last component of `path`, and that component. `fd` borrows `dir`
/// when it is that one.
struct Parent {
  Fd owned;
  int fd = -1;  ///< -1 with errno set when the directory cannot be opened
  std::string name;
};
Parent open_parent(int dir, std::string_view path, Lookup* lookup);

/// Lets the group of a shared folder read and write a file that was just made in it, whatever the
/// umask says. Somebody else's file is left as it is.
void share_file(int fd, const struct stat& status, std::string_view path);

/// Error NOT_A_FILE, exit 5.
Error not_a_file(std::string_view path, std::string_view what);

/// What an errno of a lookup means: something planted, or a failed system call.
Error lookup_error(std::string_view operation, std::string_view path, int errno_value);

}  // namespace reprise
