#include "engine/guard.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>

#include "engine/descendants.h"
#include "engine/end_signals.h"

namespace reprise {

namespace {

/// What SIGKILL does not end in that time hangs in the kernel.
constexpr std::chrono::seconds kKillTime{10};
constexpr int kReapAgainMs = 5;

void end_orphans() {
  const auto until = std::chrono::steady_clock::now() + kKillTime;
  for (auto left = living_descendants(); !left.empty(); left = living_descendants()) {
    if (std::chrono::steady_clock::now() >= until) return;
    for (const auto pid : left) ::kill(pid, SIGKILL);
    ::poll(nullptr, 0, kReapAgainMs);
    while (::waitpid(-1, nullptr, WNOHANG) > 0) continue;
  }
}

/// As the child did.
[[noreturn]] void end_as(int status) {
  if (WIFEXITED(status)) ::_exit(WEXITSTATUS(status));
  end_orphans();
  const int number = WTERMSIG(status);
  sigset_t all{};
  sigfillset(&all);
  ::signal(number, SIG_DFL);
  ::sigprocmask(SIG_UNBLOCK, &all, nullptr);
  ::raise(number);
  ::_exit(128 + number);
}

[[noreturn]] void guard(pid_t child, const sigset_t& signals) {
  for (;;) {
    int status = 0;
    const auto ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child) end_as(status);
    if (ended < 0 && errno != EINTR) ::_exit(static_cast<int>(Exit::kSystem));
    const int signal = ::sigwaitinfo(&signals, nullptr);
    if (signal > 0 && signal != SIGCHLD) ::kill(child, signal);
  }
}

}  // namespace

Descriptor go_on_guarded() {
  auto pipe = make_pipe();
  auto signals = end_signals();
  sigaddset(&signals, SIGCHLD);
  ::signal(SIGCHLD, SIG_DFL);
  sigset_t before{};
  ::sigprocmask(SIG_BLOCK, &signals, &before);
  const Subreaper subreaper;  // which a child is not
  const auto child = ::fork();
  const int failed = errno;
  if (child > 0) {
    pipe.reader.reset();
    guard(child, signals);
  }
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  if (child < 0) throw system_error("fork", "a guard", failed);
  ::setpgid(0, 0);
  pipe.writer.reset();  // the guard alone holds it
  return std::move(pipe.reader);
}

bool guard_has_ended(const Descriptor& lifeline) {
  pollfd watched{lifeline.get(), POLLIN, 0};
  return ::poll(&watched, 1, 0) > 0;
}

}  // namespace reprise
