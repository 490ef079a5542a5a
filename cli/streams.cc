#include "cli/streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>

namespace reprise {
namespace {

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

}  // namespace

void secure_streams() {
  for (int fd = 0; fd <= 2; ++fd) {
    if (::fcntl(fd, F_GETFD) >= 0) continue;
    // The lowest free number is fd. Opened for the other direction, so that using it is an error.
    ::open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
  }
  for (const int killing : {SIGPIPE, SIGXFSZ}) ::signal(killing, SIG_IGN);
}

bool draws_on_terminal() {
  const char* term = std::getenv("TERM");
  return term != nullptr && std::string_view(term) != "dumb" && ::isatty(STDOUT_FILENO) == 1;
}

bool deliver_out(std::string_view bytes) { return write_all(STDOUT_FILENO, bytes); }

bool write_out(std::string_view bytes) { return deliver_out(bytes) || errno == EPIPE; }

void write_err(std::string_view bytes) { write_all(STDERR_FILENO, bytes); }

}  // namespace reprise
