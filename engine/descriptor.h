// An open file descriptor, closed by its destructor; and pipes of them.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "journal/error.h"

namespace reprise {

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : x_fd(fd) {}
  ~Descriptor() { reset(); }
  Descriptor(Descriptor&& other) noexcept : x_fd(std::exchange(other.x_fd, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    reset(std::exchange(other.x_fd, -1));
    return *this;
  }
  int get() const { return x_fd; }
  bool is_open() const { return x_fd >= 0; }
  int release() { return std::exchange(x_fd, -1); }
  void reset(int fd = -1) {
    if (x_fd >= 0 && x_fd != fd) ::close(x_fd);
    x_fd = fd;
  }

 private:
  int x_fd;
};

struct Pipe {
  Descriptor reader;
  Descriptor writer;
};

/// Neither end is inherited by a program that is started. Error SYSTEM_ERROR.
inline Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw system_error("pipe", "a program", errno);
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

}  // namespace reprise
