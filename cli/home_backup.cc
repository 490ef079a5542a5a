// backup: a copy of the home that is a home itself.
#include <algorithm>
#include <filesystem>

#include "cli/commands.h"
#include "cli/session.h"
#include "cli/text.h"
#include "engine/home/backup.h"

namespace reprise {
namespace {

BackupRequest backup_request(const Arguments& arguments, const Session& session,
                             Workspace& workspace) {
  const std::filesystem::path dest = arguments.positional("DEST");
  std::string path = (session.working_dir() / dest).lexically_normal().string();
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  BackupRequest request{.dest = path, .verify = arguments.has("--verify")};
  for (const std::string& run : arguments.values("--run")) {
    request.runs.push_back(workspace.find(run).name);
  }
  std::ranges::sort(request.runs);
  request.runs.erase(std::unique(request.runs.begin(), request.runs.end()), request.runs.end());
  return request;
}

}  // namespace

Reply backup(const Arguments& arguments) {
  const Session session(arguments);
  Workspace workspace = session.workspace_to_read();
  const BackupRequest request = backup_request(arguments, session, workspace);
  const Context& context = session.context();
  const Backup done = backup_home(workspace, request, context.clock, context.random);
  Reply reply{.document = new_document()};
  reply.document["home"] = workspace.home_path();
  reply.document["dest"] = request.dest;
  reply.document["runs"] = done.runs;
  reply.document["records"] = done.records;
  reply.document["verified"] = request.verify;
  reply.document["damaged"] = Document::array();
  for (const Backup::Damaged& run : done.damaged) {
    reply.document["damaged"].push_back({{"runId", run.run}, {"reason", run.reason}});
  }
  if (!done.foreign.empty()) reply.document["foreign"] = done.foreign;
  reply.document["problems"] = Document::array();
  for (const Problem& problem : done.problems) {
    reply.document["problems"].push_back(
        {{"kind", problem.kind}, {"where", problem.where}, {"reason", problem.reason}});
  }
  reply.document["leftOut"] = done.left_out;
  if (!done.damaged.empty() || !done.problems.empty()) reply.exit = Exit::kNo;
  return reply;
}

std::string backup_text(const Document& document, const Style& style) {
  std::string out = paint(style, Colour::kBold, shown(document["dest"].get<std::string>())) + "  " +
                    counted(document["runs"], "run", "runs") + ", " +
                    counted(document["records"], "record", "records") +
                    (document["verified"] ? ", verified" : "") + "\n";
  for (const Document& run : document["damaged"]) {
    out += "  " + paint(style, Colour::kRed, "damaged") + "  " +
           shown(run["runId"].get<std::string>()) + ": " + shown(run["reason"].get<std::string>()) +
           "\n    copied as it is: reprise run:verify says more\n";
  }
  for (const Document& run : document.value("foreign", Document::array())) {
    out += "  a run of babysitter's, copied as it is: " + shown(run.get<std::string>()) + "\n";
  }
  for (const Document& problem : document["problems"]) {
    out += "  " + paint(style, Colour::kRed, problem["kind"].get<std::string>()) + "  " +
           shown(problem["where"].get<std::string>()) + ": " +
           shown(problem["reason"].get<std::string>()) + "\n";
  }
  for (const Document& path : document["leftOut"]) {
    out += "  left out, no regular file: " + shown(path.get<std::string>()) + "\n";
  }
  return out;
}

}  // namespace reprise
