// channel:create.
#include "cli/channel/commands.h"
#include "cli/channel/making.h"
#include "cli/creation.h"
#include "cli/iteration.h"
#include "cli/run_documents.h"
#include "cli/text.h"

namespace reprise {
namespace {

void check_id(const std::string& id) {
  if (id.empty() || valid_run_id(id)) return;
  throw Error(Exit::kUsage, "INVALID_RUN_ID", "\"" + id + "\" cannot be the id of a channel",
              "letters, digits, dots, underscores and hyphens, at most 128, the first a letter or "
              "digit");
}

}  // namespace

namespace {

CreatedRun make_channel_run(Workspace& workspace, const Session& session,
                            const CreateRequest& request) {
  try {
    return create_in(workspace, session, request);
  } catch (const Error& error) {
    const bool archived = error.code() == "RUN_ARCHIVED";
    if (!archived && error.code() != "RUN_EXISTS") throw;
    throw Error(Exit::kConflict, error.code(), error.message(),
                archived ? "a deleted channel keeps its id: choose another"
                         : "reprise channel:show " + request.run_id +
                               " shows it; channel:config changes its settings");
  }
}

}  // namespace

Reply channel_create(const Arguments& arguments) {
  const Session session(arguments);
  const std::string id = arguments.positional("CHANNEL");
  check_id(id);
  const bool dry_run = arguments.has("--dry-run");
  Workspace workspace = session.workspace(!dry_run);
  Document inputs = channel_inputs(arguments, session, id);
  if (Document home = home_settings(arguments, workspace.home()); !home.empty()) {
    inputs["configured"] = std::move(home);
  }
  const CreatedRun made =
      make_channel_run(workspace, session, channel_request(arguments, id, inputs));

  Reply reply{.document = new_document()};
  reply.document["runId"] = made.run_id;
  reply.document["runDir"] = made.run_dir;
  reply.document["processId"] = made.process_id;
  reply.document["created"] = made.created;
  reply.document["dryRun"] = dry_run;
  reply.document["inputs"] = inputs;
  if (dry_run) return reply;
  const RunHandle run = session.find_run(made.run_id);
  const Iteration iteration = iterate_run(session, run);
  reply.document["runStatus"] = status_name(iteration.state.status());
  reply.warnings = iteration.notes;
  return reply;
}

std::string channel_create_text(const Document& document, const Style& style) {
  const std::string id = shown(document["runId"].get<std::string>());
  const std::string verb = document["created"]  ? "created "
                           : document["dryRun"] ? "would create "
                                                : "exists  ";
  std::string out = paint(style, Colour::kGreen, verb) + paint(style, Colour::kBold, id);
  const std::string parent = member_text(document["inputs"], "parent");
  if (!parent.empty()) out += ", a thread of " + shown(parent);
  if (document["dryRun"]) return out + "\n";
  return out + "\n  next  reprise message:post " + id + " TEXT\n";
}

}  // namespace reprise
