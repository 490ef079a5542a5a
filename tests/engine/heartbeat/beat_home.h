// A home on a real disk with what a beat needs of it.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "engine/heartbeat/home_runs.h"
#include "tests/engine/index/index_fixture.h"

namespace reprise::test {

class BeatingHome : public IndexedHome {
 public:
  /// With these built-in processes besides those of every Folder.
  explicit BeatingHome(std::vector<BuiltIn> more = {}) {
    auto& all = folder.world.built_ins;
    all.insert(all.end(), more.begin(), more.end());
    folder.world.context.built_ins = all;
  }

  /// A beat of a home by the wall clock, or of a simulated one, at the time of its clock.
  BeatDone beat(std::span<const std::unique_ptr<Chore>> chores = {},
                const BeatBounds& bounds = {}) {
    auto all = index();
    return beat_with(all, chores, bounds);
  }
  /// The same with an index that stays open from beat to beat.
  BeatDone beat_with(RunIndex& all, std::span<const std::unique_ptr<Chore>> chores = {},
                     const BeatBounds& bounds = {}) {
    BeatHome home{.workspace = workspace,
                  .context = folder.world.context,
                  .index = all,
                  .asked = asked,
                  .config = config,
                  .now_ms = folder.world.clock.now_ms(),
                  .simulated = simulated,
                  .last_beat_ms = std::exchange(x_last_beat_ms, folder.world.clock.now_ms())};
    HomeRuns runs(home, folder.folder().read, {});
    Beat one(bounds);
    one.go({.home = home, .chores = chores, .runs = runs});
    return one.done();
  }

  Workspace workspace{{.runs_dir = runs_path}, true};
  Config config;
  AskedRuns asked;
  bool simulated = false;

 private:
  std::optional<int64_t> x_last_beat_ms;
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
