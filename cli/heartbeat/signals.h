// What ends a heartbeat that stays: SIGTERM, SIGINT and SIGHUP, taken when they are asked for.
#pragma once

#include <csignal>
#include <cstdint>

namespace reprise {

/// From its making on these signals wait to be taken, in this process; programs that it starts get
/// them as usual. To be made before any thread.
class EndSignals {
 public:
  EndSignals();
  ~EndSignals();
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;

  /// Whether one has come; it stays so.
  bool came() { return pause(0); }
  /// Waits so long, or until one comes.
  bool pause(int64_t ms);

 private:
  sigset_t x_signals{};
  sigset_t x_before{};
  bool x_came = false;
};

}  // namespace reprise
