// An open file descriptor, closed by its destructor; pipes of them, and files in memory.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>
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

/// What a program reads, at its beginning. Unlike a pipe it holds all of it before the program
/// begins: one whose starter dies never takes a part for the whole. Error SYSTEM_ERROR.
inline Descriptor memory_file(std::string_view bytes) {
  Descriptor file(::memfd_create("reprise-input", MFD_CLOEXEC));
  while (file.is_open() && !bytes.empty()) {
    const auto written = ::write(file.get(), bytes.data(), bytes.size());
    if (written <= 0) break;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  if (!file.is_open() || !bytes.empty() || ::lseek(file.get(), 0, SEEK_SET) != 0) {
    throw system_error("memfd_create", "a program", errno);
  }
  return file;
}

}  // namespace reprise
