#include "engine/heartbeat/asked_runs.h"

#include "engine/heartbeat/chore.h"
#include "journal/error.h"

namespace reprise {

namespace {

/// Its time is another one: what is due in it now, nobody can say.
void refuse_simulated(const BeatHome& home, const RunState& state) {
  if (home.simulated || !state.simulated) return;
  throw Error(Exit::kConflict, "SIMULATED_HOME",
              "the run " + state.run_id +
                  " of this home is a simulated one: it was begun by a command with --now",
              "beats with --now do its work; reprise run:archive " + state.run_id +
                  " lets another one begin by the clock");
}

}  // namespace

bool AskedRuns::ask(BeatHome& home, const HomeRun& wanted, const Use& use) {
  auto& place = x_kept[wanted.name];
  const bool is_known = place && home.workspace.exists() &&
                        looks_the_same(home.workspace.runs(), wanted.name, place->file);
  if (!is_known) place = read(home, wanted);
  const auto kept = place;  // whoever uses it may ask for more
  if (!kept) return false;
  const auto& state = kept->asked->state();
  check_home_run(state, wanted);
  refuse_simulated(home, state);
  use(kept->asked->machine(), state);
  return true;
}

/// null: there is nobody to ask.
std::shared_ptr<const AskedRuns::Kept> AskedRuns::read(BeatHome& home, const HomeRun& wanted) {
  auto run = find_home_run(home.workspace, wanted);
  if (!run) return nullptr;
  auto file = look_at_journal(*run->dir);
  auto asked = read_asked(*run->dir, home.context, Past::kPresent);
  if (!asked) return nullptr;
  if (!asked->is_whole()) file = {};
  return std::make_shared<const Kept>(Kept{std::move(*run), file, std::move(asked)});
}

}  // namespace reprise
