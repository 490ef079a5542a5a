// A worker is given its work as a file, tells by a pipe, and is stopped by a second one: its
// lifeline, whose only writer is this process. So to stop a worker, to drop it and to die are the
// same to it. It is told by the kernel, needs no thread and cannot be missed.
//
// A worker that was killed cannot end what it began. Its first process dies with it (SIGKILL, by
// the kernel), and all others become children of this process, a subreaper, which ends them.
#include "engine/executors/worker.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>

#include "engine/descendants.h"
#include "engine/descriptor.h"
#include "engine/end_signals.h"
#include "engine/executors/outcome.h"
#include "engine/executors/task_program.h"
#include "engine/executors/worker_protocol.h"
#include "engine/launch.h"
#include "engine/steady_time.h"

namespace reprise {

namespace {

/// A worker ends its program within the program's grace, and some more for what SIGKILL does not
/// end at once; one that does not is ended itself.
constexpr int64_t kStopMs = 20'000;
constexpr int kLookAgainMs = 5;

}  // namespace

struct Workers::State {
  struct Worker {
    pid_t pid = 0;
    Descriptor lifeline;
    Descriptor out;
    std::string unread;  ///< the beginning of its next line
    bool told = false;   ///< its outcome was
    bool ended = false;  ///< and waited for
    int64_t grace_ms = 0;
    int64_t kill_at_ms = 0;  ///< 0: nothing to end it for
  };

  State() {
    for (const int signal : {SIGWINCH, SIGCHLD}) sigaddset(&signals, signal);
    ::sigprocmask(SIG_BLOCK, &signals, &before);
    signal_fd.reset(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
  }
  ~State() { ::sigprocmask(SIG_SETMASK, &before, nullptr); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void read_from(uint64_t name, Worker& worker, std::vector<WorkerEvent>& events);
  void take_line(uint64_t name, Worker& worker, std::string_view line,
                 std::vector<WorkerEvent>& events);
  int take_signals();
  void bury(std::vector<WorkerEvent>& events);
  void end_orphans();

  sigset_t signals = end_signals();
  sigset_t before{};
  Subreaper subreaper;
  std::vector<pid_t> foreign = has_children() ? living_descendants() : std::vector<pid_t>{};
  Descriptor signal_fd;
  std::map<uint64_t, Worker> workers;
  uint64_t started = 0;
};

void Workers::State::take_line(uint64_t name, Worker& worker, std::string_view line,
                               std::vector<WorkerEvent>& events) {
  auto event = read_event(line);
  if (!event || worker.told) return;
  event->worker = name;
  worker.told = event->kind == WorkerEvent::Kind::kOutcome;
  if (worker.told) worker.kill_at_ms = steady_ms() + kStopMs;
  events.push_back(std::move(*event));
}

void Workers::State::read_from(uint64_t name, Worker& worker, std::vector<WorkerEvent>& events) {
  std::array<char, 65'536> buffer{};
  const auto size = ::read(worker.out.get(), buffer.data(), buffer.size());
  if (size < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (size <= 0) return worker.out.reset();
  const auto seen = worker.unread.size();
  worker.unread.append(buffer.data(), static_cast<size_t>(size));
  size_t begin = 0;
  for (auto end = worker.unread.find('\n', seen); end != std::string::npos;
       end = worker.unread.find('\n', begin)) {
    take_line(name, worker, std::string_view(worker.unread).substr(begin, end - begin), events);
    begin = end + 1;
  }
  worker.unread.erase(0, begin);
}

int Workers::State::take_signals() {
  int taken = 0;
  signalfd_siginfo info{};
  while (::read(signal_fd.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    const auto signal = static_cast<int>(info.ssi_signo);
    // Of several the one that ends the work is told.
    if (signal != SIGCHLD && (taken == 0 || taken == SIGWINCH)) taken = signal;
  }
  return taken;
}

/// Waits for those that ended, and tells of those that did so without an outcome.
void Workers::State::bury(std::vector<WorkerEvent>& events) {
  const auto now_ms = steady_ms();
  bool lost = false;
  for (auto& [name, worker] : workers) {
    int status = 0;
    if (worker.kill_at_ms != 0 && now_ms >= worker.kill_at_ms) ::kill(worker.pid, SIGKILL);
    if (!worker.ended) worker.ended = ::waitpid(worker.pid, &status, WNOHANG) != 0;
    if (!worker.ended) continue;
    while (worker.out.is_open() && !worker.told) read_from(name, worker, events);
    worker.out.reset();
    if (worker.told) continue;
    lost = true;
    worker.told = true;
    WorkerEvent event{.worker = name, .kind = WorkerEvent::Kind::kOutcome};
    event.outcome = error_outcome(
        "WorkerLost", WIFSIGNALED(status)
                          ? "the worker was ended by signal " + std::to_string(WTERMSIG(status))
                          : "the worker ended with exit code " +
                                std::to_string(WEXITSTATUS(status)) + " and told no outcome");
    events.push_back(std::move(event));
  }
  std::erase_if(workers, [](const auto& entry) { return entry.second.ended; });
  if (lost) end_orphans();
}

void Workers::State::end_orphans() {
  std::vector<pid_t> spared = foreign;
  for (const auto& [name, worker] : workers) spared.push_back(worker.pid);
  const auto until_ms = steady_ms() + kStopMs;
  for (auto left = living_descendants(spared); !left.empty() && steady_ms() < until_ms;
       left = living_descendants(spared)) {
    for (const auto pid : left) ::kill(pid, SIGKILL);
    ::poll(nullptr, 0, kLookAgainMs);
    for (const auto pid : left) ::waitpid(pid, nullptr, WNOHANG);
  }
}

Workers::Workers() : x_state(std::make_unique<State>()) {}

Workers::~Workers() {
  auto until_ms = steady_ms();
  for (auto& [name, worker] : x_state->workers) {
    stop(name);
    until_ms = std::max(until_ms, worker.kill_at_ms + kStopMs);
  }
  int signal = 0;
  while (!x_state->workers.empty() && steady_ms() < until_ms) wait(1000, signal);
}

uint64_t Workers::start(const Work& work, const ExecutorConfig& executor, const Policy& policy) {
  const auto input = memory_file(write_work_order(work, executor, policy));
  Pipe out = make_pipe();
  Pipe lifeline = make_pipe();
  const auto begun = launch({.words = {"/proc/self/exe", "executor:perform", "--lifeline",
                                       std::to_string(lifeline.reader.get())},
                             .environment = own_environment(),
                             .folder = {},
                             .input = input.get(),
                             .output = out.writer.get(),
                             .inherited = lifeline.reader.get(),
                             .dies_with = false});
  if (begun.pid == 0) throw Error(Exit::kSystem, "SYSTEM_ERROR", begun.problem);
  const auto name = ++x_state->started;
  auto& worker = x_state->workers[name];
  worker.pid = begun.pid;
  worker.lifeline = std::move(lifeline.writer);
  worker.out = std::move(out.reader);
  worker.grace_ms = program_settings(executor.json).grace_ms;
  return name;
}

size_t Workers::running() const {
  return static_cast<size_t>(std::ranges::count_if(
      x_state->workers, [](const auto& entry) { return !entry.second.told; }));
}

void Workers::stop(uint64_t name) {
  const auto found = x_state->workers.find(name);
  if (found == x_state->workers.end() || found->second.kill_at_ms != 0) return;
  found->second.lifeline.reset();
  found->second.kill_at_ms = steady_ms() + found->second.grace_ms + kStopMs;
}

std::vector<WorkerEvent> Workers::wait(int64_t at_most_ms, int& signal) {
  std::vector<WorkerEvent> events;
  std::vector<pollfd> watched = {{x_state->signal_fd.get(), POLLIN, 0}};
  std::vector<uint64_t> names = {0};
  for (const auto& [name, worker] : x_state->workers) {
    if (worker.kill_at_ms != 0) {
      at_most_ms = std::min(at_most_ms, worker.kill_at_ms - steady_ms());
    }
    if (!worker.out.is_open()) continue;
    watched.push_back({worker.out.get(), POLLIN, 0});
    names.push_back(name);
  }
  const auto wait_ms = static_cast<int>(std::clamp<int64_t>(at_most_ms, 0, 60'000));
  ::poll(watched.data(), watched.size(), wait_ms);
  signal = x_state->take_signals();
  for (size_t i = 1; i < watched.size(); i++) {
    if (watched[i].revents == 0) continue;
    x_state->read_from(names[i], x_state->workers.at(names[i]), events);
  }
  x_state->bury(events);
  return events;
}

}  // namespace reprise
