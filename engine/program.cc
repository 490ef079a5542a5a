// fork and exec, two pipes, a signalfd and one poll loop. Between fork and exec only system calls.
#include "engine/program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "journal/error.h"

namespace reprise {

namespace {

constexpr int64_t kGraceMs = 5000;
/// What the program left behind may hold its pipes open for ever.
constexpr int64_t kDrainMs = 200;

using Millis = std::chrono::milliseconds;

int64_t monotonic_ms() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<Millis>(now).count();
}

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : x_fd(fd) {}
  ~Descriptor() { reset(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return x_fd; }
  void reset(int fd = -1) {
    if (x_fd >= 0) ::close(x_fd);
    x_fd = fd;
  }

 private:
  int x_fd;
};

void make_pipe(Descriptor& reader, Descriptor& writer) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw system_error("pipe", "a program's output", errno);
  reader.reset(ends[0]);
  writer.reset(ends[1]);
}

void keep(ProgramStream& stream, std::string_view bytes) {
  const auto room = kKeptOutputBytes - stream.kept.size();
  stream.whole = stream.whole && bytes.size() <= room;
  stream.kept.append(bytes.substr(0, room));
  stream.tail.append(bytes);
  if (stream.tail.size() > kOutputTailBytes) {
    stream.tail.erase(0, stream.tail.size() - kOutputTailBytes);
  }
}

class Running {
 public:
  Running(const Program& program,
          const std::function<void(bool is_error, std::string_view bytes)>& pass_on)
      : x_program(program), x_pass_on(pass_on) {
    sigemptyset(&x_signals);
    for (const int signal : {SIGINT, SIGTERM, SIGCHLD}) sigaddset(&x_signals, signal);
    ::sigprocmask(SIG_BLOCK, &x_signals, &x_before);
    x_signal_fd.reset(::signalfd(-1, &x_signals, SFD_CLOEXEC | SFD_NONBLOCK));
  }
  ~Running() { ::sigprocmask(SIG_SETMASK, &x_before, nullptr); }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  ProgramEnd go(const std::function<bool()>& tick) {
    start();
    const auto started_ms = monotonic_ms();
    auto next_tick_ms = started_ms + x_program.tick_ms;
    while (!is_over()) {
      wait_for_something(next_tick_ms);
      const auto now_ms = monotonic_ms();
      if (x_program.timeout_ms != 0 && now_ms >= started_ms + x_program.timeout_ms) {
        x_end.timed_out = stop(now_ms) || x_end.timed_out;
      }
      if (now_ms >= next_tick_ms && !x_end.stopped) {
        next_tick_ms = now_ms + x_program.tick_ms;
        if (!tick()) x_end.stopped = stop(now_ms);
      }
      if (x_kill_at_ms != 0 && now_ms >= x_kill_at_ms) ::kill(-x_pid, SIGKILL);
    }
    return std::move(x_end);
  }

 private:
  void start() {
    Descriptor out;
    Descriptor err;
    make_pipe(x_out, out);
    make_pipe(x_err, err);
    std::vector<char*> words;
    for (const auto& word : x_program.words) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    const bool terminal = ::isatty(STDIN_FILENO) == 1;
    const auto parent = ::getpid();
    x_pid = ::fork();
    if (x_pid < 0) throw system_error("fork", x_program.words.front(), errno);
    if (x_pid == 0) become(words, terminal, parent, out.get(), err.get());
    ::setpgid(x_pid, x_pid);  // whoever of the two comes first
  }

  [[noreturn]] void become(std::vector<char*>& words, bool terminal, pid_t parent, int out,
                           int err) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) ::_exit(127);  // it died before it could be told
    ::dup2(out, STDOUT_FILENO);
    ::dup2(err, STDERR_FILENO);
    if (terminal) {
      const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
      if (nothing >= 0) ::dup2(nothing, STDIN_FILENO);
    }
    for (const auto& [name, value] : x_program.environment) {
      ::setenv(name.c_str(), value.c_str(), 1);
    }
    ::signal(SIGPIPE, SIG_DFL);
    ::sigprocmask(SIG_SETMASK, &x_before, nullptr);
    ::execvp(words.front(), words.data());
    const int why = errno;
    ::dprintf(STDERR_FILENO, "reprise: cannot run %s: %s\n", words.front(), ::strerror(why));
    ::_exit(why == ENOENT ? 127 : 126);
  }

  bool is_over() {
    if (x_out.get() < 0 && x_err.get() < 0 && x_reaped) return true;
    return x_drain_until_ms != 0 && monotonic_ms() >= x_drain_until_ms;
  }

  void wait_for_something(int64_t until_ms) {
    std::array<pollfd, 3> watched = {
        {{x_out.get(), POLLIN, 0}, {x_err.get(), POLLIN, 0}, {x_signal_fd.get(), POLLIN, 0}}};
    const auto now_ms = monotonic_ms();
    for (const auto other_ms : {x_kill_at_ms, x_drain_until_ms}) {
      if (other_ms != 0) until_ms = std::min(until_ms, other_ms);
    }
    if (x_program.timeout_ms != 0) until_ms = std::min(until_ms, now_ms + x_program.timeout_ms);
    const auto wait_ms = std::clamp<int64_t>(until_ms - now_ms, 0, 60'000);
    if (::poll(watched.data(), watched.size(), static_cast<int>(wait_ms)) <= 0) return;
    if (watched[0].revents != 0) read_from(x_out, false);
    if (watched[1].revents != 0) read_from(x_err, true);
    if (watched[2].revents != 0) take_signals();
  }

  void read_from(Descriptor& pipe, bool is_error) {
    std::array<char, 65'536> buffer{};
    const auto size = ::read(pipe.get(), buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) return;
    if (size <= 0) return pipe.reset();
    const std::string_view bytes(buffer.data(), static_cast<size_t>(size));
    keep(is_error ? x_end.err : x_end.out, bytes);
    x_pass_on(is_error, bytes);
  }

  void take_signals() {
    signalfd_siginfo info{};
    while (::read(x_signal_fd.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
      if (info.ssi_signo == SIGCHLD) {
        reap();
      } else {
        ::kill(-x_pid, static_cast<int>(info.ssi_signo));
      }
    }
  }

  void reap() {
    int status = 0;
    if (x_reaped || ::waitpid(x_pid, &status, WNOHANG) != x_pid) return;
    x_reaped = true;
    x_drain_until_ms = monotonic_ms() + kDrainMs;
    x_end.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }

  /// Whether it was this call that stopped it.
  bool stop(int64_t now_ms) {
    if (x_kill_at_ms != 0) return false;
    x_kill_at_ms = now_ms + kGraceMs;
    ::kill(-x_pid, SIGTERM);
    return true;
  }

  const Program& x_program;
  const std::function<void(bool, std::string_view)>& x_pass_on;
  sigset_t x_signals{};
  sigset_t x_before{};
  Descriptor x_signal_fd;
  Descriptor x_out;
  Descriptor x_err;
  pid_t x_pid = 0;
  bool x_reaped = false;
  int64_t x_kill_at_ms = 0;
  int64_t x_drain_until_ms = 0;
  ProgramEnd x_end;
};

}  // namespace

ProgramEnd run_program(const Program& program,
                       const std::function<void(bool is_error, std::string_view bytes)>& pass_on,
                       const std::function<bool()>& tick) {
  return Running(program, pass_on).go(tick);
}

}  // namespace reprise
