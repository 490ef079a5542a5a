// The runs of a home as a beat takes them on: found through the index, advanced under their own
// locks, which are never waited for.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/children.h"
#include "engine/heartbeat/beat.h"

namespace reprise {

/// Iterates a run of a script in a process of its own: an engine that crashes takes that one along
/// and not the beat. Errors: those of iterate.
using IterateScript = std::function<void(const std::string& run)>;

class HomeRuns final : public BeatRuns {
 public:
  /// Everything outlives this. `iterate_script` may be empty: scripts run in this process.
  HomeRuns(BeatHome& home, SourceReader read, IterateScript iterate_script);

  std::vector<DueRun> due(uint64_t limit) override;
  /// One that turns out to be damaged is read again for the next question to the index, which then
  /// lists it so.
  TakenOn take_on(const DueRun& run) override;

 private:
  TakenOn settle(const DueRun& run, Dir& dir);
  TakenOn iterate(const DueRun& run, Dir& dir);
  TakenOn iterate_elsewhere(const DueRun& run, Dir& dir);
  bool is_script(Dir& dir) const;

  BeatHome& x_home;
  Context x_context;  ///< of the home, without patience
  RunFolder x_folder;
  IterateScript x_iterate_script;
  std::map<std::string, uint64_t> x_settled;  ///< last record of runs whose relatives were told
};

inline BeatTime time_of(const BeatHome& home) { return {home.now_ms, home.simulated}; }

}  // namespace reprise
