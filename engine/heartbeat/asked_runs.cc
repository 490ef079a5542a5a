#include "engine/heartbeat/asked_runs.h"

namespace reprise {

bool AskedRuns::ask(Workspace& workspace, const Context& context, const HomeRun& wanted,
                    const Use& use) {
  auto& place = x_kept[wanted.name];
  const bool is_known =
      place && workspace.exists() && looks_the_same(workspace.runs(), wanted.name, place->file);
  if (!is_known) place = read(workspace, context, wanted);
  const auto kept = place;  // whoever uses it may ask for more
  if (!kept) return false;
  check_home_run(kept->asked->state(), wanted);
  use(kept->asked->machine(), kept->asked->state());
  return true;
}

/// null: there is nobody to ask.
std::shared_ptr<const AskedRuns::Kept> AskedRuns::read(Workspace& workspace, const Context& context,
                                                       const HomeRun& wanted) {
  auto run = find_home_run(workspace, wanted);
  if (!run) return nullptr;
  auto file = look_at_journal(*run->dir);
  auto asked = read_asked(*run->dir, context, Past::kPresent);
  if (!asked) return nullptr;
  if (!asked->is_whole()) file = {};
  return std::make_shared<const Kept>(Kept{std::move(*run), file, std::move(asked)});
}

}  // namespace reprise
