// Going on with a run: run:iterate itself, and --iterate of the commands that give a run something.
#pragma once

#include <string>

#include "cli/reply.h"
#include "cli/session.h"
#include "engine/iterate.h"

namespace reprise {

/// Iterates and keeps in the home what the process logged.
Iteration iterate_run(const Session& session, const RunHandle& run);

/// What --iterate adds to a command that did its own job: "iteration" and "runStatus", or
/// "iterationError". With `exit_status` the exit code is that of run:iterate --exit-status.
void add_iteration(Reply& reply, const Session& session, const RunHandle& run, bool exit_status);

/// How such a document ends as text: the iteration, or what to type for one when the run is ready.
std::string iteration_text(const Document& document, const Style& style);

}  // namespace reprise
