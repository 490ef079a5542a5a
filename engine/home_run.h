// The runs that the program itself keeps in a home: one of a built-in process for its memories, one
// for its schedules, and so on. They are runs like all others; they come into being when they are
// first told something.
#pragma once

#include <optional>
#include <string>

#include "engine/context.h"
#include "engine/run_state.h"
#include "engine/workspace.h"

namespace reprise {

struct HomeRun {
  std::string name;     ///< of the run
  std::string process;  ///< the built-in one that it must be of
  std::string inputs = "{}";
  bool simulated =
      false;  ///< --now was given: made as a simulated run, and refused when it is none
};

/// Opens it to tell it something; made when it is missing. Errors: HOME_RUN_TAKEN (exit 4) when a
/// run of another process has its name, RUN_ARCHIVED, SIMULATED_HOME (exit 4), NOT_SIMULATED
/// (exit 2), those of create_run.
RunHandle open_home_run(Workspace& workspace, const Context& context, const HomeRun& wanted);

/// What is wrong with a run that has the name, also for those who only read it: HOME_RUN_TAKEN,
/// NOT_SIMULATED.
void check_home_run(const RunState& state, const HomeRun& wanted);
/// The time of a simulated run is another one: by the clock nobody can say what is due in it, and
/// what it is told would never happen. Error SIMULATED_HOME.
void refuse_simulated(const RunState& state, bool by_clock);

/// The same without making it: nullopt when it is missing. A home that does not exist has none.
std::optional<RunHandle> find_home_run(Workspace& workspace, const HomeRun& wanted);

}  // namespace reprise
