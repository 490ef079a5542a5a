// run:assign-process: a bare run gets its process, a run with a history other code.
#include "cli/commands.h"
#include "cli/go_on.h"
#include "cli/plan_document.h"
#include "cli/process_flags.h"
#include "cli/session.h"
#include "cli/text.h"
#include "cli/user_files.h"
#include "engine/assign.h"

namespace reprise {

Reply run_assign_process(const Arguments& arguments) {
  const Session session(arguments);
  AssignRequest request;
  request.process = choose_process(arguments, session.working_dir());
  if (request.process.entry.empty() && request.process.built_in.empty()) {
    throw Error(Exit::kUsage, "MISSING_ARGUMENT", "run:assign-process needs --entry or --process",
                "usage: " + usage_line(arguments.command()));
  }
  request.abandon = arguments.has("--abandon");
  request.yes = arguments.has("--yes");
  request.dry_run = arguments.has("--dry-run");
  const RunHandle run = session.find_run();
  const AssignedProcess assigned =
      assign_process(*run.dir, session.context(), read_source_file, request);
  Reply reply{.document = new_document()};
  reply.document["runId"] = run.name;
  reply.document["runDir"] = run.path;
  reply.document["processId"] = assigned.process_id;
  reply.document["entry"] = assigned.entry;
  reply.document["assigned"] = assigned.assigned;
  reply.document["dryRun"] = request.dry_run;
  if (assigned.plan) {
    reply.document["plan"] = plan_document(*assigned.plan);
    if (!assigned.assigned && !request.dry_run) reply.exit = Exit::kUsage;
  }
  reply.warnings = without_meaning(arguments, {"--process-revision"});
  reply.warnings.insert(reply.warnings.end(), assigned.notes.begin(), assigned.notes.end());
  return reply;
}

std::string run_assign_process_text(const Document& document, const Style& style) {
  const std::string id = document["runId"];
  const std::string entry = shown(document["entry"].get<std::string>());
  const bool assigned = document["assigned"];
  const bool planned = document.contains("plan");
  const std::string what = assigned ? paint(style, Colour::kGreen, "assigned ") + entry + " to "
                           : planned || document["dryRun"] ? "would assign " + entry + " to "
                                                           : entry + " was assigned before to ";
  std::string out = what + paint(style, Colour::kBold, id) + "\n";
  if (planned) out += plan_text(document["plan"], style);
  if (assigned) return out + go_on_hint(document);
  if (planned) out += "  nothing was recorded; --yes does it\n";
  return out;
}

}  // namespace reprise
