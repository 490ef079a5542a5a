// The runs of a home: what killed commands left among them, and whether the clock is behind them.
#include <algorithm>

#include "engine/home/doctor.h"
#include "engine/inspect.h"
#include "engine/process_loader.h"
#include "engine/run.h"
#include "journal/error.h"

namespace reprise {

namespace {

constexpr int64_t kLeftoverAgeMs = 3'600'000;
/// The clock is compared with so many runs, the last by name: ids are times, mostly.
constexpr size_t kRunsLookedAt = 20;

std::vector<std::string> runs_looked_at(Workspace& workspace) {
  auto names = workspace.names();
  const auto most = static_cast<ptrdiff_t>(std::min(names.size(), kRunsLookedAt));
  return {names.end() - most, names.end()};
}

/// Those that are known, and those that are looked at here: every record of them.
void check_damage(const Checkup& checkup, Findings& findings) {
  auto damaged = checkup.damaged;
  for (const auto& name : runs_looked_at(checkup.workspace)) {
    try {
      read_state(*checkup.workspace.find(name).dir, true);
    } catch (const Error& error) {
      // A file among the runs is no run.
      if (error.exit() == Exit::kCorrupt) damaged.emplace(name, error.message());
    }
  }
  for (const auto& [name, message] : damaged) {
    findings.push_back(
        {"runs", Health::kProblem, name + ": " + message, "reprise run:verify " + name});
  }
  if (checkup.foreign == 0) return;
  findings.push_back({"runs",
                      Health::kOk,
                      std::to_string(checkup.foreign) + (checkup.foreign == 1 ? " run" : " runs") +
                          " of babysitter's among the runs: babysitter finishes them",
                      {}});
}

void check_clock(Workspace& workspace, Clock& clock, Findings& findings) {
  for (const auto& name : runs_looked_at(workspace)) {
    try {
      const auto run = workspace.find(name);
      const auto state = read_state(*run.dir).state;
      const auto lag_ms = state.simulated ? 0 : clock_lag_ms(state, clock);
      if (lag_ms == 0) continue;
      findings.push_back({"clock", Health::kProblem,
                          "the last record of " + name + " is " + std::to_string(lag_ms / 60'000) +
                              " minutes ahead of the clock",
                          "set the clock of this machine; --force writes all the same"});
      return;
    } catch (const Error&) {
      continue;  // no run, or a damaged one
    }
  }
  findings.push_back({"clock", Health::kOk, format_time(clock.now_ms()), {}});
}

/// Scripts were told where they are when they were made, and go on with that: a replay that is told
/// another place could ask for other things.
void check_moved(Workspace& workspace, Findings& findings) {
  JsonReader reader;
  for (const auto& name : runs_looked_at(workspace)) {
    try {
      const auto run = workspace.find(name);
      const auto state = read_state(*run.dir).state;
      if (state.end || !read_descriptor(*run.dir, state, reader).script) continue;
      const auto made_at = load_origin(*run.dir, state, reader).run_dir;
      if (made_at == run.path) continue;
      findings.push_back({"moved", Health::kWarning,
                          name + " was made as " + made_at +
                              ", and its tasks go on to write their artifacts there",
                          "move the home back, or let the old path lead here by a link"});
      return;
    } catch (const Error&) {
      continue;  // no run, a damaged one, or one without a process
    }
  }
}

}  // namespace

void check_runs(const Checkup& checkup, Findings& findings) {
  auto& workspace = checkup.workspace;
  auto& clock = checkup.clock;
  if (!workspace.exists()) return;
  check_damage(checkup, findings);
  check_clock(workspace, clock, findings);
  check_moved(workspace, findings);
  const auto leftovers = find_leftovers(workspace, clock);
  if (leftovers.empty()) return;
  findings.push_back({"leftovers", Health::kWarning,
                      std::to_string(leftovers.size()) +
                          " unfinished folders of killed commands, the first " +
                          workspace.runs_path() + "/" + leftovers.front(),
                      "reprise doctor --fix removes them"});
}

void check_rules(const Checkup& checkup, Findings& findings) {
  constexpr size_t kNamed = 5;
  const auto& behind = checkup.behind;
  if (behind.empty()) return;
  std::string names;
  for (size_t i = 0; i < std::min(behind.size(), kNamed); ++i) {
    names += (names.empty() ? "" : ", ") + behind[i];
  }
  if (behind.size() > kNamed) {
    names += " and " + std::to_string(behind.size() - kNamed) +
             (checkup.more_behind ? " or more" : " more");
  }
  findings.push_back(
      {"rules", Health::kWarning, "open runs go on by older rules than new ones: " + names,
       "reprise run:assign-process --rules newest --home " + checkup.workspace.home_path() +
           " --dry-run shows what the newest would change"});
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
