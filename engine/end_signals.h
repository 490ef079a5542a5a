// The signals that end what a command does: SIGINT, SIGTERM and SIGHUP, a closed terminal.
#pragma once

#include <csignal>
#include <cstdint>

namespace reprise {

/// All three; no SIGHUP when this process was told to ignore it, as by nohup.
sigset_t end_signals();
/// "SIGINT"
const char* end_signal_name(int signal);

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
  /// What came is known, and is not to end this process any more.
  void forget();

 private:
  sigset_t x_signals{};
  sigset_t x_before{};
  bool x_came = false;
};

}  // namespace reprise
