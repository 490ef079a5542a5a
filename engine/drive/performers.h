// Who performs effects, as a drive sees it: executors that are chosen by the configuration, workers
// side by side, and executors that need no program and perform at once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/executors/executor.h"
#include "engine/executors/worker.h"
#include "engine/home/config.h"

namespace reprise {

class Performers {
 public:
  virtual ~Performers() = default;

  /// The executor for work of this kind, task, label and agent; nullptr when none matches. Valid as
  /// long as this.
  virtual const ExecutorConfig* choose(const Work& work) const = 0;
  /// It needs no program and performs at once, in this process.
  virtual bool is_inside(const ExecutorConfig& executor) const = 0;
  /// Bytes that are free where the folder lies.
  virtual uint64_t free_bytes(const std::string& folder) const = 0;

  /// Begins a piece of work and returns its name, unique in this object. An Error begins nothing.
  virtual uint64_t start(const Work& work, const ExecutorConfig& executor) = 0;
  /// What happened since, waiting at most so long for the first of it; 0 only looks. `signal` is
  /// the number of one of end_signals() or a SIGWINCH that came meanwhile, else 0.
  virtual std::vector<WorkerEvent> wait(int64_t at_most_ms, int& signal) = 0;
  /// It ends what it began; its outcome comes by wait(), "Stopped" when there was none before.
  virtual void stop(uint64_t worker) = 0;
};

}  // namespace reprise
