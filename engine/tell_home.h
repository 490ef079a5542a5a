// Telling a run of the home something: tell_among, for whoever has the home and not a folder of
// runs.
#pragma once

#include <string_view>
#include <vector>

#include "engine/context.h"
#include "engine/tell.h"
#include "engine/workspace.h"

namespace reprise {

/// The signals, what follows from them, and what that does to other runs. Errors: those of tell.
Told tell_home_run(Workspace& workspace, const Context& context, const RunHandle& run,
                   const std::vector<Signal>& signals, std::string_view question = {});

}  // namespace reprise
