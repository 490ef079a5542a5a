// Pieces of work that are performed side by side, each in a worker: a process of its own
// (`reprise executor:perform`) that ends with all its descendants when this process dies.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/executors/executor.h"

namespace reprise {

/// What a worker tells.
struct WorkerEvent {
  enum class Kind { kProgress, kOutput, kOutcome };
  uint64_t worker = 0;  ///< as start() named it
  Kind kind{};
  std::string json;  ///< kProgress
  bool is_error = false;
  std::string bytes;  ///< kOutput: the last of what was written, for those who watch
  Outcome outcome;    ///< kOutcome: the last event of its worker. A worker that died is an error
                      ///< "WorkerLost".
};

class Workers {
 public:
  Workers();
  /// Stops what still runs: TERM, and KILL after the grace.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// Starts a worker and returns its name, unique in this object.
  uint64_t start(const Work& work, const ExecutorConfig& executor, const Policy& policy);
  size_t running() const;
  /// Waits at most so long for something to happen, also for one of end_signals() or a SIGWINCH
  /// that this process gets: `signal` is its number, else 0.
  std::vector<WorkerEvent> wait(int64_t at_most_ms, int& signal);
  /// The worker ends what it began; its outcome comes by wait().
  void stop(uint64_t worker);

 private:
  struct State;
  std::unique_ptr<State> x_state;
};

}  // namespace reprise
