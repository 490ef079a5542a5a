#include "engine/heartbeat/asked_runs.h"

#include "engine/heartbeat/chore.h"

namespace reprise {

bool AskedRuns::ask(BeatHome& home, const HomeRun& wanted, const Use& use) {
  auto& place = x_kept[wanted.name];
  const bool is_known = place && home.workspace.exists() &&
                        looks_the_same(home.workspace.runs(), wanted.name, place->file);
  if (!is_known) place = read(home, wanted);
  const auto kept = place;  // whoever uses it may ask for more
  if (!kept) return false;
  const auto& state = kept->asked->state();
  check_home_run(state, wanted);
  refuse_simulated(state, !home.simulated);
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
