#include "cli/iteration.h"

#include "cli/commands.h"
#include "cli/run_documents.h"
#include "cli/text.h"

namespace reprise {

Iteration iterate_run(const Session& session, const RunHandle& run) {
  Iteration iteration = iterate(*run.dir, session.context());
  if (!iteration.log.empty()) session.workspace().append_log(run.name, iteration.log);
  return iteration;
}

// What the command recorded is durable: whatever happens to the iteration is news in the document,
// not a failure of the command.
void add_iteration(Reply& reply, const Session& session, const RunHandle& run, bool exit_status) {
  try {
    const Iteration iteration = iterate_run(session, run);
    reply.document["runStatus"] = status_name(iteration.state.status());
    reply.document["iteration"] = iteration_document(run, iteration);
    if (exit_status) reply.exit = status_exit(iteration.state, true);
    reply.warnings.insert(reply.warnings.end(), iteration.notes.begin(), iteration.notes.end());
  } catch (const Error& error) {
    reply.document["iterationError"] = {{"code", error.code()}, {"message", error.message()}};
    reply.warnings.push_back("it is recorded, but the run did not go on: " + error.message());
  }
}

std::string iteration_text(const Document& document, const Style& style) {
  if (document.contains("iteration")) return run_iterate_text(document["iteration"], style);
  if (document["runStatus"] != "ready" || document["dryRun"]) return {};
  return "  next  reprise run:iterate " + shown(document["runId"].get<std::string>()) + "\n";
}

}  // namespace reprise
