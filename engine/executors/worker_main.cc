#include "engine/executors/worker_main.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <string>

#include "engine/executors/outcome.h"
#include "engine/executors/worker_protocol.h"
#include "journal/error.h"

namespace reprise {

namespace {

/// Of what is written, the last so many bytes are told, so often at most.
constexpr size_t kToldBytes = size_t{4} << 10U;
constexpr std::chrono::milliseconds kPause{50};
/// Lines that wait for a slow reader.
constexpr size_t kWaitingBytes = size_t{256} << 10U;
constexpr int kLastWordMs = 10'000;

class Teller {
 public:
  explicit Teller(int out) : x_out(out), x_flags(::fcntl(out, F_GETFL)) {
    ::fcntl(x_out, F_SETFL, x_flags | O_NONBLOCK);
  }
  ~Teller() { ::fcntl(x_out, F_SETFL, x_flags); }
  Teller(const Teller&) = delete;
  Teller& operator=(const Teller&) = delete;

  void output(bool is_error, std::string_view bytes) {
    auto& held = x_held[is_error ? 1 : 0];
    held.append(bytes.substr(bytes.size() - std::min(bytes.size(), kToldBytes)));
    if (held.size() > kToldBytes) held.erase(0, held.size() - kToldBytes);
    if (std::chrono::steady_clock::now() >= x_next) tell_output();
  }

  void tell_output() {
    for (const bool is_error : {false, true}) {
      auto& held = x_held[is_error ? 1 : 0];
      if (held.empty()) continue;
      if (x_waiting.size() - x_told < kWaitingBytes) say(write_output_event(is_error, held));
      held.clear();
      x_next = std::chrono::steady_clock::now() + kPause;
    }
    flush();
  }

  void say(const std::string& line) {
    x_waiting += line + "\n";
    flush();
  }

  void say_last(const std::string& line) {
    tell_output();
    say(line);
    pollfd out{x_out, POLLOUT, 0};
    while (!x_waiting.empty() && ::poll(&out, 1, kLastWordMs) > 0 && (out.revents & POLLOUT) != 0) {
      flush();
    }
  }

 private:
  void flush() {
    while (x_told < x_waiting.size()) {
      const auto written = ::write(x_out, x_waiting.data() + x_told, x_waiting.size() - x_told);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0 && errno != EAGAIN) break;  // nobody listens any more
      if (written <= 0) return;
      x_told += static_cast<size_t>(written);
    }
    x_waiting.clear();
    x_told = 0;
  }

  int x_out;
  int x_flags;
  std::array<std::string, 2> x_held;
  std::string x_waiting;
  size_t x_told = 0;  ///< so much of it
  std::chrono::steady_clock::time_point x_next;
};

bool owner_has_ended(int lifeline) {
  pollfd watched{lifeline, POLLIN, 0};
  return lifeline >= 0 && ::poll(&watched, 1, 0) > 0;
}

}  // namespace

Outcome perform_as_worker(std::string_view order, int lifeline, int out) {
  const auto given = read_work_order(order);
  if (lifeline >= 0) ::fcntl(lifeline, F_SETFD, FD_CLOEXEC);
  Teller teller(out);
  const WorkEvents events{
      .progress = [&](std::string_view json) { teller.say(write_progress_event(json)); },
      .output = [&](bool is_error, std::string_view bytes) { teller.output(is_error, bytes); },
      .stopped =
          [&] {
            teller.tell_output();
            return owner_has_ended(lifeline);
          },
      .stop_descriptor = lifeline};
  Outcome outcome;
  try {
    outcome = owner_has_ended(lifeline) ? error_outcome("Stopped", "the work was stopped")
                                        : perform(given.work, given.executor, given.policy, events);
  } catch (const Error& error) {
    // Nobody else can tell whoever waits for the outcome.
    outcome = error_outcome("ExecutorError",
                            error.message() + (error.hint().empty() ? "" : ": ") + error.hint());
  }
  teller.say_last(write_outcome_event(outcome));
  return outcome;
}

}  // namespace reprise
