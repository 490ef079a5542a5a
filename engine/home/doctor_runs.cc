// The runs of a home: what killed commands left among them, and whether the clock is behind them.
#include <algorithm>

#include "engine/home/doctor.h"
#include "engine/run.h"
#include "journal/error.h"

namespace reprise {

namespace {

constexpr int64_t kLeftoverAgeMs = 3'600'000;
/// The clock is compared with so many runs, the last by name: ids are times, mostly.
constexpr size_t kRunsLookedAt = 20;

void check_clock(Workspace& workspace, Clock& clock, Findings& findings) {
  const auto names = workspace.names();
  const auto first = names.size() - std::min(names.size(), kRunsLookedAt);
  for (auto i = first; i < names.size(); ++i) {
    try {
      const auto run = workspace.find(names[i]);
      const auto state = read_state(*run.dir).state;
      const auto lag_ms = state.simulated ? 0 : clock_lag_ms(state, clock);
      if (lag_ms == 0) continue;
      findings.push_back({"clock", Health::kProblem,
                          "the last record of " + names[i] + " is " +
                              std::to_string(lag_ms / 60'000) + " minutes ahead of the clock",
                          "set the clock of this machine; --force writes all the same"});
      return;
    } catch (const Error& error) {
      if (error.exit() != Exit::kCorrupt) continue;  // a file among the runs is no run
      findings.push_back({"runs", Health::kProblem, names[i] + ": " + error.message(),
                          "reprise run:verify " + names[i]});
    }
  }
  findings.push_back({"clock", Health::kOk, format_time(clock.now_ms()), {}});
}

}  // namespace

void check_runs(Workspace& workspace, Clock& clock, Findings& findings) {
  if (!workspace.exists()) return;
  check_clock(workspace, clock, findings);
  const auto leftovers = find_leftovers(workspace, clock);
  if (leftovers.empty()) return;
  findings.push_back({"leftovers", Health::kWarning,
                      std::to_string(leftovers.size()) +
                          " unfinished folders of killed commands, the first " +
                          workspace.runs_path() + "/" + leftovers.front(),
                      "reprise doctor --fix removes them"});
}

std::vector<std::string> find_leftovers(Workspace& workspace, Clock& clock) {
  std::vector<std::string> found;
  if (!workspace.exists()) return found;
  for (auto& name : workspace.runs().list("")) {
    if (!name.starts_with(".new-") && !name.starts_with(".deleted-")) continue;
    const auto stat = workspace.runs().stat(name);
    const bool old = stat && clock.now_ms() - stat->modified_ms > kLeftoverAgeMs;
    if (old && stat->directory) found.push_back(std::move(name));
  }
  return found;
}

std::vector<std::string> remove_leftovers(Workspace& workspace, Clock& clock) {
  auto found = find_leftovers(workspace, clock);
  for (const auto& name : found) workspace.runs().remove_tree(name);
  return found;
}

}  // namespace reprise
