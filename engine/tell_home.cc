#include "engine/tell_home.h"

#include "engine/family.h"

namespace reprise {

Told tell_home_run(Workspace& workspace, const Context& context, const RunHandle& run,
                   const std::vector<Signal>& signals, std::string_view question) {
  // Runs of the home are of built-in processes, and so are their children.
  const auto no_sources = [](const std::string&) -> std::optional<std::string> { return {}; };
  const RunFolder folder{workspace.runs(), workspace.runs_path(), no_sources};
  return tell_among(folder, run.name, *run.dir, context, signals, After::kIterate, question);
}

}  // namespace reprise
