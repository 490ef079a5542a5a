// This program once more, as a process of its own that is told what to do by its command line and
// answers with JSON on its standard output.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/descriptor.h"
#include "journal/error.h"

namespace reprise {

class OwnProgram {
 public:
  enum class Life : uint8_t {
    kBound,  ///< it is killed with this object, and with this process
    kOwn,    ///< it goes on without them
  };
  /// Starts it. Error SYSTEM_ERROR (exit 8).
  OwnProgram(std::vector<std::string> words, Life life);
  ~OwnProgram();
  OwnProgram(OwnProgram&& other) noexcept;
  OwnProgram& operator=(OwnProgram&&) = delete;

  /// Takes what it says, waiting at most so long; true when it has ended.
  bool wait(int64_t at_most_ms);
  /// Asks it to end (SIGTERM).
  void stop();

  /// Readable when there is something to take, or it has ended.
  int descriptor() const { return x_out.get(); }
  int exit_code() const { return x_exit; }  ///< 128 + N when signal N ended it
  /// The last line that it wrote; a longer one than 64 MiB is cut.
  const std::string& last_line() const { return x_line; }

 private:
  void take();
  bool bury(bool wait);

  Life x_life;
  pid_t x_pid = 0;  ///< 0: it has ended
  int x_exit = 0;
  Descriptor x_out;
  std::string x_line;
  bool x_line_ended = false;
};

/// What a command about a run said at its end.
struct OwnAnswer {
  std::string status;          ///< of the run
  uint64_t performed = 0;      ///< results that it recorded
  std::optional<Error> error;  ///< it could not do its job
};
OwnAnswer read_answer(const OwnProgram& program);

}  // namespace reprise
