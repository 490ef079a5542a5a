#include "engine/heartbeat/home_runs.h"

#include <utility>

#include "engine/family.h"
#include "engine/process_loader.h"
#include "engine/run.h"
#include "journal/error.h"

namespace reprise {

namespace {

Context without_patience(const Context& context) {
  auto copy = context;
  copy.lock_timeout_ms = 0;
  return copy;
}

Error gone(const std::string& name) {
  return {Exit::kNotFound, "RUN_NOT_FOUND", "run " + name + " is there no more"};
}

}  // namespace

HomeRuns::HomeRuns(BeatHome& home, SourceReader read, IterateScript iterate_script)
    : x_home(home),
      x_context(without_patience(home.context)),
      x_folder{home.workspace.runs(), home.workspace.runs_path(), std::move(read)},
      x_iterate_script(std::move(iterate_script)) {}

std::vector<DueRun> HomeRuns::due(uint64_t limit) {
  return x_home.index.ask(
      [&](Database& database) { return list_due(database, time_of(x_home), limit); });
}

TakenOn HomeRuns::take_on(const DueRun& run) {
  const auto dir = x_folder.runs.open_dir(run.name);
  if (!dir) throw gone(run.name);
  try {
    return run.why == DueRun::Why::kRelatives ? settle(run, *dir) : iterate(run, *dir);
  } catch (const Error& error) {
    if (error.exit() == Exit::kCorrupt) {
      x_home.index.ask([&](Database& database) { distrust_run(database, run.name); });
    }
    throw;
  }
}

/// The run itself goes on in the next round, when it was told something.
TakenOn HomeRuns::settle(const DueRun& run, Dir& dir) {
  const auto before = read_state(dir).state;
  TakenOn taken;
  settle_relatives(x_folder, run.name, dir, before, x_context, taken.notes);
  const auto after = read_state(dir).state;
  taken.status = status_name(after.status());
  // A second time with nothing new in the run: whatever it is, this beat cannot settle it.
  const auto [seen, is_first] = x_settled.emplace(run.name, after.head.seq);
  const bool is_new = is_first || std::exchange(seen->second, after.head.seq) != after.head.seq;
  taken.changed = taken.notes.empty() && is_new;
  return taken;
}

TakenOn HomeRuns::iterate(const DueRun& run, Dir& dir) {
  if (x_iterate_script && is_script(dir)) return iterate_elsewhere(run, dir);
  auto iteration = iterate_among(x_folder, run.name, dir, x_context);
  if (!iteration.log.empty())
    x_home.workspace.append_log(x_folder.path + "/" + run.name, iteration.log);
  return {.changed = iteration.commits > 0,
          .status = std::string(status_name(iteration.state.status())),
          .notes = std::move(iteration.notes)};
}

TakenOn HomeRuns::iterate_elsewhere(const DueRun& run, Dir& dir) {
  const auto before = read_state(dir).state.head.seq;
  x_iterate_script(run.name);
  const auto after = read_state(dir).state;
  return {.changed = after.head.seq != before,
          .status = std::string(status_name(after.status())),
          .notes = {}};
}

bool HomeRuns::is_script(Dir& dir) const {
  JsonReader reader;
  return read_descriptor(dir, read_state(dir).state, reader).script;
}

}  // namespace reprise
