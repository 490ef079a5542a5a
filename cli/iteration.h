// Going on with a run: run:iterate itself, and --iterate of the commands that give a run something.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/reply.h"
#include "cli/session.h"
#include "engine/family.h"

namespace reprise {

/// The folder that a run is in, with its relatives.
class Neighbours {
 public:
  explicit Neighbours(const RunHandle& run);
  const RunFolder& folder() const { return x_folder; }

 private:
  std::unique_ptr<Dir> x_dir;
  RunFolder x_folder;
};

/// Iterates the run and does what it owes its relatives; keeps in the home what processes logged.
Iteration iterate_run(const Session& session, const RunHandle& run);
/// Before that, its open descendants that have something new; what goes wrong there is in `notes`.
std::vector<IteratedChild> iterate_children(const Session& session, const RunHandle& run,
                                            std::vector<std::string>& notes);

/// What --iterate adds to a command that did its own job: "iteration" and "runStatus", or
/// "iterationError". With `exit_status` the exit code is that of run:iterate --exit-status.
void add_iteration(Reply& reply, const Session& session, const RunHandle& run, bool exit_status);

/// How such a document ends as text: the iteration, or what to type for one when the run is ready.
std::string iteration_text(const Document& document, const Style& style);

}  // namespace reprise
