// run:list: the runs of the home, from the index.
#include "cli/commands.h"
#include "cli/list_flags.h"
#include "cli/run_documents.h"
#include "cli/session.h"
#include "cli/text.h"
#include "cli/user_values.h"
#include "engine/index/queries.h"
#include "journal/clock.h"

namespace reprise {
namespace {

constexpr uint64_t kRunListLimit = 50;
constexpr size_t kPendingWidth = 60;

// A run that cannot be read is listed as damaged: the list is how people find it.
Document run_row_document(const RunRow& run, const std::string& runs_path) {
  Document document = {{"runId", run.name}, {"processId", run.process}, {"status", run.status}};
  if (run.code.empty()) {
    document["createdAt"] = format_time(run.created_at_ms);
    document["updatedAt"] = format_time(run.updated_at_ms);
    document["pendingByKind"] = Document::parse(run.pending);
    if (run.wake_at_ms) document["nextWakeAt"] = format_time(*run.wake_at_ms);
    if (!run.labels.empty()) document["labels"] = Document::parse(run.labels);
    if (!run.message.empty()) document["failure"] = run.message;
  } else {
    document["error"] = {{"code", run.code}, {"message", run.message}};
  }
  document["runDir"] = runs_path + "/" + run.name;
  return document;
}

RunFilter read_run_filter(const Arguments& arguments, const Session& session) {
  RunFilter filter;
  filter.statuses = arguments.values("--status");
  filter.process = arguments.value("--process");
  filter.labels = parse_pairs(arguments.values("--label"), "--label");
  filter.since_ms = since_flag(arguments, session.context().clock.now_ms());
  filter.waiting_for = arguments.value("--waiting-for");
  if (const auto parent = arguments.value("--parent")) {
    filter.parent = session.find_run(*parent).name;
  }
  filter.after = arguments.value("--after").value_or("");
  filter.limit = limit_flag(arguments, kRunListLimit);
  return filter;
}

bool is_filtered(const RunFilter& filter) {
  return !filter.statuses.empty() || filter.process || !filter.labels.empty() || filter.since_ms ||
         filter.waiting_for || filter.parent || !filter.after.empty();
}

}  // namespace

Reply run_list(const Arguments& arguments) {
  const Session session(arguments);
  Workspace workspace = session.workspace_to_read();
  const RunFilter filter = read_run_filter(arguments, session);
  Reply reply{.document = new_document()};
  reply.document["runsDir"] = workspace.runs_path();
  Document& runs = reply.document["runs"] = Document::array();
  std::optional<Page<RunRow>> page;
  if (workspace.exists()) {
    auto index = session.index(workspace);
    page = index.ask([&](Database& database) { return list_runs(database, filter); });
  } else if (filter.after.empty()) {
    page.emplace();
  }
  if (!page) {
    throw Error(Exit::kNotFound, "RUN_NOT_FOUND",
                "--after: the list has no run \"" + filter.after + "\"",
                "use the \"next\" of the list before");
  }
  for (const RunRow& run : page->rows) {
    runs.push_back(run_row_document(run, workspace.runs_path()));
  }
  if (is_filtered(filter)) reply.document["filtered"] = true;
  add_cursor(reply.document, page->more, page->rows.empty() ? "" : page->rows.back().name);
  return reply;
}

std::string run_list_text(const Document& document, const Style& style) {
  Table table;
  for (const Document& run : document["runs"]) {
    const std::string status = run["status"];
    std::string pending;
    if (run.contains("pendingByKind")) {
      for (const auto& [kind, count] : run["pendingByKind"].items()) {
        pending +=
            (pending.empty() ? "" : ", ") + std::to_string(count.get<uint64_t>()) + " " + kind;
      }
    }
    if (run.contains("failure")) pending = run["failure"];
    if (run.contains("error")) pending = run["error"]["message"];
    table.add({{run["runId"], Colour::kBold},
               {status, status_colour(status)},
               {shown(run["processId"].get<std::string>())},
               {run.value("updatedAt", std::string("-")), Colour::kDim},
               {shown(pending, kPendingWidth)}});
  }
  if (table.empty() && document.value("filtered", false)) return "no run matches\n";
  if (table.empty()) return "no runs in " + shown(document["runsDir"].get<std::string>()) + "\n";
  return table.print(style) + more_hint(document);
}

}  // namespace reprise
