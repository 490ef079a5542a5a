#include "cli/heartbeat/signals.h"

#include <ctime>
#include <initializer_list>

namespace reprise {

EndSignals::EndSignals() {
  sigemptyset(&x_signals);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&x_signals, signal);
  ::sigprocmask(SIG_BLOCK, &x_signals, &x_before);
}

EndSignals::~EndSignals() { ::sigprocmask(SIG_SETMASK, &x_before, nullptr); }

bool EndSignals::pause(int64_t ms) {
  if (x_came) return true;
  const timespec time{ms / 1000, ms % 1000 * 1'000'000};
  x_came = ::sigtimedwait(&x_signals, nullptr, &time) > 0;
  return x_came;
}

}  // namespace reprise
