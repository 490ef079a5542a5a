#include "engine/forked.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "journal/error.h"

namespace reprise {

namespace {

void write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) ::_exit(static_cast<int>(Exit::kSystem));
    text.remove_prefix(static_cast<size_t>(written));
  }
}

std::string read_to_end(int fd) {
  std::string text;
  std::array<char, size_t{64} << 10> buffer{};
  for (;;) {
    const auto count = ::read(fd, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(buffer.data(), static_cast<size_t>(count));
  }
}

/// It never returns to the program's own end.
[[noreturn]] void be_child(int pipe, const std::function<void(const Tell&)>& work,
                           unsigned seconds) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit no_core{.rlim_cur = 0, .rlim_max = 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (seconds != 0) {
    const rlimit computing{.rlim_cur = seconds, .rlim_max = seconds};
    ::setrlimit(RLIMIT_CPU, &computing);
  }
  work([pipe](std::string_view text) { write_all(pipe, text); });
  ::_exit(0);
}

}  // namespace

std::string run_forked(const std::function<void(const Tell&)>& work, unsigned seconds) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw system_error("pipe", "a worker", errno);
  const auto child = ::fork();
  if (child < 0) {
    const int failed = errno;
    ::close(ends[0]);
    ::close(ends[1]);
    throw system_error("fork", "a worker", failed);
  }
  if (child == 0) be_child(ends[1], work, seconds);
  ::close(ends[1]);
  auto text = read_to_end(ends[0]);
  ::close(ends[0]);
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) continue;
  return text;
}

}  // namespace reprise
