// Runs one outside program to its end, with all that it starts, and passes on what it writes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace reprise {

struct Program {
  enum class Input {
    kNothing,
    kText,
    kOwn,  ///< that of this process, unless it is a terminal: the program is not in its foreground
  };

  std::vector<std::string> words;        ///< looked for in the PATH of `environment`
  std::vector<std::string> environment;  ///< "NAME=VALUE": all that it gets
  std::string folder;                    ///< it begins in; empty: that of this process
  Input input = Input::kNothing;
  std::string text;             ///< of Input::kText: all of it is there when the program begins
  int64_t timeout_ms = 0;       ///< 0: none
  int64_t idle_timeout_ms = 0;  ///< of silence on both streams; 0: none
  int64_t grace_ms = 5000;      ///< from SIGTERM to SIGKILL
  int64_t tick_ms = 1000;
  size_t tail_bytes = size_t{8} << 10U;  ///< of each stream, in ProgramStream::tail
  int lifeline = -1;  ///< the program is stopped when this can be read or is at its end
  /// What signals do that this process gets meanwhile.
  enum class Signals {
    kEndProcess,
    kForward,     ///< SIGINT and SIGTERM go to the program's group
    kEndProgram,  ///< end_signals() end the program: ProgramEnd::signal
  };
  Signals signals = Signals::kEndProcess;
  /// Its first process is a wrapper that takes its children along when it ends: SIGTERM goes to
  /// those only.
  bool wrapped = false;
};

struct ProgramStream {
  std::string tail;    ///< its last bytes
  uint64_t bytes = 0;  ///< in all
};

struct ProgramEnd {
  int exit_code = 0;  ///< 128 + n when signal n ended it; 126, 127: it could not be started
  bool timed_out = false;
  bool silent = false;   ///< it was the idle timeout
  bool stopped = false;  ///< a tick said so, or the lifeline, or a signal
  int signal = 0;        ///< that stopped it, as Signals::kEndProgram says
  std::string problem;   ///< why it could not be started
  ProgramStream out;
  ProgramStream err;
};

/// `tick` is called about every tick_ms; false ends the program, as its timeouts do: SIGTERM to all
/// that it started, and after the grace SIGKILL. What is left when the program itself has ended is
/// ended in the same way, forked away or not, so nothing of it runs when this returns. SIGKILL
/// reaches the program when this process dies.
ProgramEnd run_program(const Program& program,
                       const std::function<void(bool is_error, std::string_view bytes)>& pass_on,
                       const std::function<bool()>& tick);

}  // namespace reprise
