// Which runs a command changed, and what follows from it: the hooks of the home are told.
#pragma once

#include <set>
#include <string>

#include "engine/changes.h"

namespace reprise {

/// Passes on what it is told, and remembers it.
class TouchedRuns final : public Changes {
 public:
  explicit TouchedRuns(Changes& next) : x_next(next) {}
  void touch(const std::string& run_path, uint64_t head_seq) override {
    x_next.touch(run_path, head_seq);
    if (head_seq > 0) x_paths.insert(run_path);  // a creation tells nothing
  }
  void remember(const std::string& run_path) override { x_next.remember(run_path); }

  const std::set<std::string>& paths() const { return x_paths; }

 private:
  Changes& x_next;
  std::set<std::string> x_paths;
};

class Session;

/// Tells the hooks of the home of what its runs told since `since_ms`, if it has hooks: once for
/// each event, for a few seconds at most. What fails or is left is heartbeat's; a home that may run
/// nothing gets a warning on standard error.
void tell_hooks(const Session& session, const TouchedRuns& touched, int64_t since_ms);

}  // namespace reprise
