#include "engine/home_run.h"

#include "engine/create.h"
#include "engine/put_away.h"
#include "engine/run.h"

namespace reprise {

namespace {

void make(Workspace& workspace, const Context& context, const HomeRun& wanted) {
  if (is_archived(workspace.runs_path(), wanted.name)) {
    throw Error(Exit::kConflict, "RUN_ARCHIVED",
                "the run " + wanted.name + " of this home is in the archive",
                "move it from " + archive_path(workspace.runs_path()) + " back to " +
                    workspace.runs_path() + ", or let another one begin: reprise run:delete " +
                    wanted.name + " --runs-dir " + archive_path(workspace.runs_path()) + " --yes");
  }
  CreateRequest request;
  request.run_id = wanted.name;
  request.process.built_in = wanted.process;
  request.inputs = parse_value(wanted.inputs, "inputs");
  request.if_absent = true;
  request.simulated = wanted.simulated;
  const auto no_files = [](const std::string&) -> std::optional<std::string> { return {}; };
  try {
    create_run(&workspace.runs(), workspace.runs_path(), context, no_files, request);
  } catch (const Error& error) {
    // Somebody else made it meanwhile, perhaps with other inputs.
    if (error.code() != "RUN_EXISTS") throw;
  }
}

}  // namespace

void check_home_run(const RunState& state, const HomeRun& wanted) {
  if (state.process_id != wanted.process) {
    throw Error(Exit::kConflict, "HOME_RUN_TAKEN",
                "the run \"" + wanted.name + "\" of this home is of another process",
                "reprise itself keeps a run of that name: archive the other one");
  }
  if (wanted.simulated && !state.simulated) {
    throw Error(Exit::kUsage, "NOT_SIMULATED",
                "--now is for homes that began with it: the run " + wanted.name +
                    " of this one runs by the wall clock",
                "leave --now out");
  }
}

void refuse_simulated(const RunState& state, bool by_clock) {
  if (!by_clock || !state.simulated) return;
  throw Error(Exit::kConflict, "SIMULATED_HOME",
              "the run " + state.run_id +
                  " of this home is a simulated one: it was begun by a command with --now",
              "commands with --now do its work; to let another one begin by the clock: reprise "
              "run:halt " +
                  state.run_id + ", then reprise run:delete " + state.run_id + " --yes");
}

std::optional<RunHandle> find_home_run(Workspace& workspace, const HomeRun& wanted) {
  if (!workspace.exists() || !workspace.runs().stat(wanted.name)) return std::nullopt;
  auto run = workspace.find(wanted.name);
  check_home_run(read_state(*run.dir).state, wanted);
  return run;
}

RunHandle open_home_run(Workspace& workspace, const Context& context, const HomeRun& wanted) {
  if (!workspace.runs().stat(wanted.name)) make(workspace, context, wanted);
  auto run = workspace.find(wanted.name);
  const auto state = read_state(*run.dir).state;
  check_home_run(state, wanted);
  refuse_simulated(state, !wanted.simulated);
  return run;
}

}  // namespace reprise
