// One thread and one Asio loop: two pipes, a signalfd, the lifeline, waited for until the earliest
// of all deadlines. This process is a subreaper meanwhile, so what forks away comes back to it as a
// child, and "nothing is left" is what waitpid says. It is asked on every turn, and often once the
// program is being ended: SIGCHLD only wakes the loop, for it may go to another thread.
#include "engine/program.h"

#include <signal.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <chrono>
#include <limits>

#include "engine/descendants.h"
#include "engine/descriptor.h"
#include "engine/end_signals.h"
#include "engine/launch.h"
#include "engine/steady_time.h"

namespace reprise {

namespace {

namespace asio = boost::asio;
using Failure = boost::system::error_code;

/// Somebody who is no descendant may hold the pipes open for ever: they were passed on by a socket.
constexpr int64_t kDrainMs = 200;
/// What SIGKILL does not end hangs in the kernel.
constexpr int64_t kKillMs = 10'000;
constexpr int64_t kLookForEndMs = 20;
constexpr int64_t kLongestWaitMs = 60'000;
constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

/// SIGCHLD and the signals that are wanted come by a descriptor; a closed pipe is an error of
/// write.
class Signals {
 public:
  explicit Signals(Program::Signals wanted) {
    sigset_t taken{};
    sigemptyset(&taken);
    if (wanted == Program::Signals::kEndProgram) taken = end_signals();
    if (wanted == Program::Signals::kForward) sigaddset(&taken, SIGINT);
    if (wanted == Program::Signals::kForward) sigaddset(&taken, SIGTERM);
    sigaddset(&taken, SIGCHLD);
    ::sigprocmask(SIG_BLOCK, &taken, &x_before);
    x_fd = ::signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK);
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGPIPE, &ignore, &x_pipe_before);
  }
  ~Signals() {
    ::sigaction(SIGPIPE, &x_pipe_before, nullptr);
    ::sigprocmask(SIG_SETMASK, &x_before, nullptr);
  }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  /// The loop takes it over.
  int descriptor() const { return x_fd; }

 private:
  sigset_t x_before{};
  struct sigaction x_pipe_before {};
  int x_fd = -1;
};

class Running {
 public:
  Running(const Program& program, const std::function<void(bool, std::string_view)>& pass_on,
          const std::function<bool()>& tick)
      : x_program(program),
        x_pass_on(pass_on),
        x_tick(tick),
        x_signals(program.signals),
        x_foreign(has_children() ? living_descendants() : std::vector<pid_t>{}) {}
  /// Only when something was thrown: nothing may be left all the same.
  ~Running() {
    if (x_pid != 0 && !x_alone) signal_all(SIGKILL);
    if (x_lifeline.is_open()) x_lifeline.release();  // the caller's
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  ProgramEnd go() {
    if (!start()) return std::move(x_end);
    x_started_ms = x_heard_ms = steady_ms();
    x_next_tick_ms = x_started_ms + x_program.tick_ms;
    listen(x_out, x_end.out, false);
    listen(x_err, x_end.err, true);
    take_signals();
    watch_lifeline();
    reap();
    while (!is_over()) {
      const auto wait_ms = std::clamp<int64_t>(next_ms() - steady_ms(), 0, kLongestWaitMs);
      x_loop.run_one_for(std::chrono::milliseconds(wait_ms));
      on_time(steady_ms());
    }
    read_signals();
    for (auto* stream : {&x_end.out, &x_end.err}) trim(*stream, x_program.tail_bytes);
    return std::move(x_end);
  }

 private:
  struct Stream {
    explicit Stream(asio::io_context& loop) : pipe(loop) {}
    asio::posix::stream_descriptor pipe;
    std::array<char, 65'536> buffer{};
  };

  bool start() {
    Pipe out = make_pipe();
    Pipe err = make_pipe();
    Descriptor in;
    Launch launched{.words = x_program.words,
                    .environment = x_program.environment,
                    .folder = x_program.folder,
                    .output = out.writer.get(),
                    .error = err.writer.get()};
    if (x_program.input == Program::Input::kText) {
      in = memory_file(x_program.text);
    } else if (x_program.input == Program::Input::kNothing || ::isatty(STDIN_FILENO) == 1) {
      in.reset(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    }
    launched.input = in.get();
    const auto begun = launch(launched);
    x_pid = begun.pid;
    x_end.problem = begun.problem;
    x_end.exit_code = begun.exit_code;
    if (x_pid == 0) return false;
    x_out.pipe.assign(out.reader.release());
    x_err.pipe.assign(err.reader.release());
    return true;
  }

  static void trim(ProgramStream& stream, size_t size) {
    if (stream.tail.size() > size) stream.tail.erase(0, stream.tail.size() - size);
  }

  void listen(Stream& stream, ProgramStream& end, bool is_error) {
    stream.pipe.async_read_some(
        asio::buffer(stream.buffer), [this, &stream, &end, is_error](const Failure& e, size_t n) {
          if (e || n == 0) {
            Failure ignored;
            stream.pipe.close(ignored);
            return;
          }
          x_heard_ms = steady_ms();
          const std::string_view bytes(stream.buffer.data(), n);
          end.bytes += n;
          end.tail.append(bytes);
          if (end.tail.size() > x_program.tail_bytes + x_program.tail_bytes / 4 + n)
            trim(end, x_program.tail_bytes);
          x_pass_on(is_error, bytes);
          listen(stream, end, is_error);
        });
  }

  void watch_lifeline() {
    if (x_program.lifeline < 0) return;
    x_lifeline.assign(x_program.lifeline);
    x_lifeline.async_wait(asio::posix::stream_descriptor::wait_read, [this](const Failure& e) {
      if (!e) x_end.stopped = stop(steady_ms()) || x_end.stopped;
    });
  }

  void take_signals() {
    x_signal_stream.async_wait(asio::posix::stream_descriptor::wait_read, [this](const Failure& e) {
      if (e) return;
      read_signals();
      reap();
      take_signals();
    });
  }

  void read_signals() {
    signalfd_siginfo info{};
    while (::read(x_signal_stream.native_handle(), &info, sizeof info) ==
           static_cast<ssize_t>(sizeof info)) {
      const auto signal = static_cast<int>(info.ssi_signo);
      if (signal == SIGCHLD) continue;
      if (x_program.signals == Program::Signals::kForward) {
        signal_all(signal);
      } else {
        interrupt(signal);
      }
    }
  }

  /// A signal to all processes of a session ends the program as well: that is no end of its own.
  void interrupt(int signal) {
    reap();
    const bool with_us = x_reaped && x_end.exit_code == 128 + signal && !x_end.timed_out;
    if (!with_us && (x_reaped || !stop(steady_ms()))) return;
    x_end.stopped = true;
    if (x_end.signal == 0) x_end.signal = signal;
  }

  void reap() {
    int status = 0;
    pid_t ended = 0;
    while ((ended = ::waitpid(-1, &status, WNOHANG)) > 0) {
      if (ended != x_pid || x_reaped) continue;
      x_reaped = true;
      x_end.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
    x_alone = ended < 0 || (x_reaped && !x_foreign.empty() && left().empty());
    if (!x_reaped) return;
    const auto now_ms = steady_ms();
    if (x_alone && x_drain_until_ms == kNever) x_drain_until_ms = now_ms + kDrainMs;
    if (!x_alone) stop(now_ms);
  }

  std::vector<pid_t> left() const { return living_descendants(x_foreign); }

  /// To the group, and to what has left it.
  void signal_all(int signal) {
    const bool spare = x_program.wrapped && signal == SIGTERM && !x_reaped;
    const bool group = !spare && !x_reaped;
    if (group) ::kill(-x_pid, signal);
    for (const auto pid : left()) {
      const bool reached = group && ::getpgid(pid) == x_pid;
      if (!reached && !(spare && pid == x_pid)) ::kill(pid, signal);
    }
  }

  /// Whether it was this call that stopped it.
  bool stop(int64_t now_ms) {
    if (x_kill_at_ms != kNever) return false;
    x_kill_at_ms = now_ms + x_program.grace_ms;
    x_give_up_ms = x_kill_at_ms + kKillMs;
    signal_all(SIGTERM);
    return true;
  }

  int64_t deadline_ms() const {
    return x_program.timeout_ms == 0 ? kNever : x_started_ms + x_program.timeout_ms;
  }
  int64_t silence_ms() const {
    return x_program.idle_timeout_ms == 0 ? kNever : x_heard_ms + x_program.idle_timeout_ms;
  }

  int64_t next_ms() const {
    if (x_reaped && x_alone) return x_drain_until_ms;
    // What forked away ends without a SIGCHLD for this process until it lost its own parent.
    const bool is_ending = x_reaped || x_kill_at_ms != kNever;
    const auto look_ms = is_ending ? steady_ms() + kLookForEndMs : kNever;
    auto next_ms = std::min({x_kill_at_ms, x_give_up_ms, look_ms});
    if (x_kill_at_ms == kNever) next_ms = std::min({next_ms, deadline_ms(), silence_ms()});
    if (!x_end.stopped) next_ms = std::min(next_ms, x_next_tick_ms);
    return next_ms;
  }

  void on_time(int64_t now_ms) {
    reap();
    if (!x_reaped && now_ms >= deadline_ms()) x_end.timed_out = stop(now_ms) || x_end.timed_out;
    if (!x_reaped && now_ms >= silence_ms() && stop(now_ms)) x_end.timed_out = x_end.silent = true;
    if (now_ms >= x_next_tick_ms && !x_end.stopped) {
      x_next_tick_ms = now_ms + x_program.tick_ms;
      if (!x_tick()) {
        stop(now_ms);
        x_end.stopped = true;
      }
    }
    if (now_ms >= x_kill_at_ms && !x_alone) {
      signal_all(SIGKILL);
      x_kill_at_ms = now_ms + kLookForEndMs;
    }
  }

  bool is_over() const {
    if (!x_reaped) return steady_ms() >= x_give_up_ms;
    if (!x_alone) return steady_ms() >= x_give_up_ms;
    return (!x_out.pipe.is_open() && !x_err.pipe.is_open()) || steady_ms() >= x_drain_until_ms;
  }

  const Program& x_program;
  const std::function<void(bool, std::string_view)>& x_pass_on;
  const std::function<bool()>& x_tick;
  const Subreaper x_subreaper;
  const Signals x_signals;
  const std::vector<pid_t> x_foreign;  ///< children that this process had before
  asio::io_context x_loop{1};
  asio::posix::stream_descriptor x_signal_stream{x_loop, x_signals.descriptor()};
  asio::posix::stream_descriptor x_lifeline{x_loop};
  Stream x_out{x_loop};
  Stream x_err{x_loop};
  pid_t x_pid = 0;
  bool x_reaped = false;
  bool x_alone = false;
  int64_t x_started_ms = 0;
  int64_t x_heard_ms = 0;
  int64_t x_next_tick_ms = 0;
  int64_t x_kill_at_ms = kNever;
  int64_t x_give_up_ms = kNever;
  int64_t x_drain_until_ms = kNever;
  ProgramEnd x_end;
};

}  // namespace

ProgramEnd run_program(const Program& program,
                       const std::function<void(bool is_error, std::string_view bytes)>& pass_on,
                       const std::function<bool()>& tick) {
  return Running(program, pass_on, tick).go();
}

}  // namespace reprise
