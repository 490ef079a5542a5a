// iterate() is the program in one function; the rules behind each line are in docs/determinism.md.
#include "engine/iterate.h"

#include <functional>

#include "engine/process_loader.h"
#include "engine/replay.h"
#include "engine/run.h"
#include "engine/task_files.h"
#include "journal/error.h"

namespace reprise {

void refuse_without_process(const RunState& state) {
  if (state.has_process) return;
  throw Error(Exit::kUsage, "RUN_HAS_NO_PROCESS",
              "run " + state.run_id + " was created without a process",
              "give it one: reprise run:assign-process " + state.run_id + " --entry FILE");
}

void go_on(Machine& machine, OpenRun& open, Dir& run, const Context& context, size_t next,
           Reserve& reserve, const CommitParts& parts, Iteration& result) {
  const auto advanced = advance(machine, open, run, context, result.at_ms, next, reserve, parts);
  result.activations += advanced.activations;
  result.commits += advanced.commits;
  result.log = machine.take_log();
  if (!advanced.unawaited.empty()) {
    result.notes.push_back(note_of_unawaited(advanced.unawaited));
  }
  if (advanced.commits == 0) return;
  const bool ended = open.history.state.end.has_value();
  std::function<std::string()> snapshot;
  if (machine.folds()) snapshot = [&] { return machine.snapshot(); };
  write_derived(result.notes, [&] { refresh_state(run, open, snapshot, ended); });
}

Iteration iterate(Dir& run, const Context& context) {
  auto open = open_run(run, context, Read::kSnapshot);
  Iteration result{.state = open.history.state, .at_ms = commit_time(open, context.clock)};
  result.notes = source_notes(run, open.history.state, open.reader);
  if (open.history.state.status() == RunStatus::kPaused) {
    result.notes.push_back("the run is paused: reprise run:resume " + result.state.run_id +
                           " lets it go on");
  } else if (!open.history.state.end) {
    refuse_without_process(open.history.state);
    with_machine(run, open, context, [&](Machine& machine) {
      Reserve reserve(open.history, open.reader);
      const size_t next = replay(machine, open, run, reserve);
      machine.begin_live();
      go_on(machine, open, run, context, next, reserve, {}, result);
    });
  }
  write_derived(result.notes, [&] { refresh_task_files(run, open.history.state, open.reader); });
  result.state = open.history.state;
  return result;
}

}  // namespace reprise
