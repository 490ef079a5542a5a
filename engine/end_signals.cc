#include "engine/end_signals.h"

#include <ctime>
#include <initializer_list>

namespace reprise {

sigset_t end_signals() {
  sigset_t signals{};
  sigemptyset(&signals);
  for (const int signal : {SIGTERM, SIGINT}) sigaddset(&signals, signal);
  struct sigaction told {};
  const bool ignored = ::sigaction(SIGHUP, nullptr, &told) == 0 && told.sa_handler == SIG_IGN;
  if (!ignored) sigaddset(&signals, SIGHUP);
  return signals;
}

const char* end_signal_name(int signal) {
  return signal == SIGINT ? "SIGINT" : signal == SIGHUP ? "SIGHUP" : "SIGTERM";
}

EndSignals::EndSignals() : x_signals(end_signals()) {
  ::sigprocmask(SIG_BLOCK, &x_signals, &x_before);
}

EndSignals::~EndSignals() { ::sigprocmask(SIG_SETMASK, &x_before, nullptr); }

bool EndSignals::pause(int64_t ms) {
  if (x_came) return true;
  const timespec time{ms / 1000, ms % 1000 * 1'000'000};
  x_came = ::sigtimedwait(&x_signals, nullptr, &time) > 0;
  return x_came;
}

void EndSignals::forget() {
  const timespec now{};
  while (::sigtimedwait(&x_signals, nullptr, &now) > 0) {
  }
}

}  // namespace reprise
