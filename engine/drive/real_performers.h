// The executors of a configuration at work.
#pragma once

#include <set>
#include <string>

#include "engine/drive/performers.h"

namespace reprise {

class RealPerformers final : public Performers {
 public:
  /// To be made before any thread: it takes the signals. The configuration outlives this.
  explicit RealPerformers(const Config& config);

  const ExecutorConfig* choose(const Work& work) const override;
  bool is_inside(const ExecutorConfig& executor) const override;
  uint64_t free_bytes(const std::string& folder) const override;
  uint64_t start(const Work& work, const ExecutorConfig& executor) override;
  std::vector<WorkerEvent> wait(int64_t at_most_ms, int& signal) override;
  void stop(uint64_t worker) override;

 private:
  uint64_t begin(const Work& work, const ExecutorConfig& executor);
  /// It is done already: heard of by the next wait.
  uint64_t settle(Outcome outcome);

  const Config& x_config;
  Workers x_workers;
  std::vector<WorkerEvent> x_ready;  ///< of what was performed at once
  uint64_t x_last = 0;               ///< name of the last of these
  std::set<const ExecutorConfig*> x_inside;
};

}  // namespace reprise
