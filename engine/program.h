// Runs one outside program to its end, in a process group of its own, and passes on what it writes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace reprise {

struct Program {
  std::vector<std::string> words;                  ///< looked for in $PATH
  std::map<std::string, std::string> environment;  ///< besides that of this process
  int64_t timeout_ms = 0;                          ///< 0: none
  int64_t tick_ms = 1000;
};

struct ProgramStream {
  std::string kept;   ///< its beginning
  std::string tail;   ///< its last bytes, for a first look
  bool whole = true;  ///< kept is all of it
};

struct ProgramEnd {
  int exit_code = 0;  ///< 128 + n when signal n ended it; 126, 127: it could not be started
  bool timed_out = false;
  bool stopped = false;  ///< a tick said so
  ProgramStream out;
  ProgramStream err;
};

/// Of one stream, in ProgramStream::kept and ::tail.
constexpr size_t kKeptOutputBytes = size_t{16} << 20U;
constexpr size_t kOutputTailBytes = size_t{8} << 10U;

/// `tick` is called about every tick_ms; false ends the program, as its timeout does: SIGTERM to
/// the group, and after five seconds SIGKILL. SIGINT and SIGTERM that this process gets meanwhile
/// go to the group. When this process dies, the program is told by SIGTERM. A terminal is not its
/// standard input: the program is not in the terminal's foreground.
ProgramEnd run_program(const Program& program,
                       const std::function<void(bool is_error, std::string_view bytes)>& pass_on,
                       const std::function<bool()>& tick);

}  // namespace reprise
