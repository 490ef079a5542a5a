// run:assign-process --rules newest --home DIR: every open run of a home, each under its own lock
// and for itself. What was done stays done when the command ends early; repeating it does the rest.
#include "cli/plan_document.h"
#include "cli/run_assign.h"
#include "cli/user_files.h"
#include "engine/process/rules.h"
#include "engine/run.h"
#include "journal/error.h"

namespace reprise {

namespace {

/// nullopt for a run that has ended, or has the newest rules.
std::optional<Document> assign_rules_to(Workspace& workspace, const std::string& name,
                                        const Context& context, const AssignRequest& request) {
  Document document = {{"runId", name}};
  try {
    const RunHandle run = workspace.find(name);
    const auto state = read_state(*run.dir).state;
    if (state.end || state.rules == kNewestRules) return std::nullopt;
    add_assigned(document, request, assign_process(*run.dir, context, read_source_file, request));
  } catch (const Error& error) {
    document["assigned"] = false;
    document["error"] = {{"code", error.code()}, {"message", error.message()}};
  }
  return document;
}

}  // namespace

Reply assign_rules_of_home(const Session& session, AssignRequest request) {
  if (!request.process.entry.empty() || !request.process.built_in.empty() || request.abandon) {
    throw Error(Exit::kUsage, "INVALID_ARGUMENT",
                "without RUN, run:assign-process gives nothing but --rules",
                "name the run that is to have another process");
  }
  request.only_same = true;
  auto workspace = session.workspace_to_read();
  Reply reply{.document = new_document()};
  reply.document["home"] = workspace.home_path();
  reply.document["dryRun"] = request.dry_run;
  reply.document["runs"] = Document::array();
  bool left = false;
  for (const auto& name : workspace.exists() ? workspace.names() : std::vector<std::string>()) {
    auto document = assign_rules_to(workspace, name, session.context(), request);
    if (!document) continue;
    if (document->contains("error")) reply.exit = Exit::kNo;
    left = left || !(*document)["assigned"].get<bool>();
    reply.document["runs"].push_back(std::move(*document));
  }
  if (left && reply.exit == Exit::kOk && !request.dry_run) {
    reply.exit = request.yes ? Exit::kNo : Exit::kUsage;
  }
  return reply;
}

std::string rules_of_home_text(const Document& document, const Style& style) {
  std::string lines;
  uint64_t assigned = 0;
  for (const Document& run : document["runs"]) {
    const bool done = run["assigned"];
    assigned += done ? 1 : 0;
    lines += "  " + paint(style, Colour::kBold, shown(run["runId"].get<std::string>())) + "  ";
    if (run.contains("error")) {
      lines += shown(run["error"]["message"].get<std::string>()) + "\n";
      continue;
    }
    lines +=
        std::string(done ? "assigned" : "not assigned") + "\n" + rules_text(run["rules"], style);
    if (!done && run.contains("plan")) lines += plan_text(run["plan"], style);
  }
  const auto count = document["runs"].size();
  std::string out = counted(count, "open run", "open runs") + " with older rules, " +
                    counted(assigned, "got the newest", "got the newest") + "\n" + lines;
  if (assigned < count && !document["dryRun"]) {
    out +=
        "  --yes gives them to each run that decides the same by them; another one wants its own "
        "reprise run:assign-process RUN --rules newest\n";
  }
  return out;
}

}  // namespace reprise
