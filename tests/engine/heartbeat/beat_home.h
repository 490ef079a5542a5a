// A home on a real disk with what a beat needs of it.
#pragma once

#include <string>

#include "engine/heartbeat/home_runs.h"
#include "tests/engine/index/index_fixture.h"

namespace reprise::test {

class BeatingHome : public IndexedHome {
 public:
  /// A beat of a home by the wall clock, or of a simulated one, at the time of its clock.
  BeatDone beat(std::span<const std::unique_ptr<Chore>> chores = {},
                const BeatBounds& bounds = {}) {
    auto all = index();
    BeatHome home{.workspace = workspace,
                  .context = folder.world.context,
                  .index = all,
                  .config = config,
                  .now_ms = folder.world.clock.now_ms(),
                  .simulated = simulated};
    HomeRuns runs(home, folder.folder().read, {});
    return reprise::beat({.home = home, .chores = chores, .runs = runs}, bounds);
  }

  Workspace workspace{{.runs_dir = runs_path}, true};
  Config config;
  bool simulated = false;
};

/// "parent.t1 x2 completed, r x1 waiting"
inline std::string runs_of(const BeatDone& done) {
  std::string text;
  for (const auto& run : done.runs) {
    text +=
        (text.empty() ? "" : ", ") + run.run + " x" + std::to_string(run.times) + " " + run.status;
  }
  return text;
}

}  // namespace reprise::test
