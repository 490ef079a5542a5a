#include "cli/iteration.h"

#include <filesystem>

#include "cli/commands.h"
#include "cli/go_on.h"
#include "cli/run_documents.h"
#include "cli/text.h"
#include "cli/user_files.h"
#include "journal/real_files.h"

namespace reprise {
namespace {

std::string folder_of(const RunHandle& run) {
  return std::filesystem::path(run.path).parent_path().string();
}

std::unique_ptr<Dir> open_folder(const RunHandle& run) {
  if (auto folder = open_real_dir(folder_of(run), false)) return folder;
  throw Error(Exit::kNotFound, "RUN_NOT_FOUND", folder_of(run) + " does not exist any more");
}

}  // namespace

Neighbours::Neighbours(const RunHandle& run)
    : x_dir(open_folder(run)), x_folder{*x_dir, folder_of(run), read_source_file} {}

Iteration iterate_run(const Session& session, const RunHandle& run) {
  const Neighbours neighbours(run);
  Iteration iteration = iterate_among(neighbours.folder(), run.name, *run.dir, session.context());
  if (!iteration.log.empty()) session.workspace().append_log(run.path, iteration.log);
  return iteration;
}

std::vector<IteratedChild> iterate_children(const Session& session, const RunHandle& run,
                                            std::vector<std::string>& notes) {
  const Neighbours neighbours(run);
  auto children =
      iterate_descendants(neighbours.folder(), run.name, *run.dir, session.context(), notes);
  for (const auto& [id, iteration] : children) {
    if (iteration.log.empty()) continue;
    session.workspace().append_log(folder_of(run) + "/" + id, iteration.log);
  }
  return children;
}

// What the command recorded is durable: whatever happens to the iteration is news in the document,
// not a failure of the command.
void add_iteration(Reply& reply, const Session& session, const RunHandle& run, bool exit_status) {
  try {
    const Iteration iteration = iterate_run(session, run);
    reply.document["runStatus"] = status_name(iteration.state.status());
    Document& document = reply.document["iteration"] = iteration_document(run, iteration);
    GoOn(session).add(document, run, iteration.state);
    if (exit_status) reply.exit = status_exit(iteration.state, true, iteration.at_ms);
    reply.warnings.insert(reply.warnings.end(), iteration.notes.begin(), iteration.notes.end());
  } catch (const Error& error) {
    reply.document["iterationError"] = {{"code", error.code()}, {"message", error.message()}};
    reply.warnings.push_back("it is recorded, but the run did not go on: " + error.message());
  }
}

std::string iteration_text(const Document& document, const Style& style) {
  if (document.contains("iteration")) return run_iterate_text(document["iteration"], style);
  if (document["runStatus"] != "ready" || document["dryRun"]) return {};
  return go_on_hint(document);
}

}  // namespace reprise
