// run:list: every run of the home, read one by one.
#include <algorithm>

#include "cli/commands.h"
#include "cli/run_documents.h"
#include "cli/session.h"
#include "cli/text.h"
#include "cli/user_values.h"
#include "engine/inspect.h"
#include "journal/clock.h"

namespace reprise {
namespace {

constexpr uint64_t kDefaultLimit = 50;

struct Row {
  int64_t created_at_ms = 0;
  std::string name;
  Document document;
};

// A run that cannot be read is listed as damaged: the list is how people find it.
Row read_row(Workspace& workspace, const std::string& name) {
  Row row{.created_at_ms = 0, .name = name, .document = {{"runId", name}}};
  Document& document = row.document;
  try {
    const RunHandle run = workspace.find(name);
    const RunState state = read_state(*run.dir).state;
    JsonReader reader;
    const RunOrigin origin = load_origin(*run.dir, state, reader);
    row.created_at_ms = state.created_at_ms;
    document["processId"] = state.process_id;
    document["status"] = status_name(state.status());
    document["createdAt"] = format_time(state.created_at_ms);
    document["updatedAt"] = format_time(state.head.at_ms);
    document["pendingByKind"] = pending_by_kind(state);
    if (const auto due_ms = state.next_due_ms()) document["nextWakeAt"] = format_time(*due_ms);
    if (!origin.labels.empty()) document["labels"] = Document::parse(origin.labels);
    document["runDir"] = run.path;
  } catch (const Error& error) {
    document["processId"] = "";
    document["status"] = "damaged";
    document["error"] = {{"code", error.code()}, {"message", error.message()}};
    document["runDir"] = workspace.runs_path() + "/" + name;
  }
  return row;
}

bool one_of(const std::vector<std::string>& allowed, const std::string& value) {
  return allowed.empty() || std::ranges::find(allowed, value) != allowed.end();
}

bool is_wanted(const Arguments& arguments, const std::map<std::string, std::string>& labels,
               const Document& run) {
  const auto process = arguments.value("--process");
  if (process && run["processId"] != *process) return false;
  for (const auto& [name, value] : labels) {
    if (!run.contains("labels") || run["labels"].value(name, std::string()) != value) return false;
  }
  return one_of(arguments.values("--status"), run["status"]);
}

std::vector<Row> read_rows(const Arguments& arguments, Workspace& workspace) {
  const auto labels = parse_pairs(arguments.values("--label"), "--label");
  std::vector<Row> rows;
  for (const std::string& name : workspace.names()) {
    Row row = read_row(workspace, name);
    if (is_wanted(arguments, labels, row.document)) rows.push_back(std::move(row));
  }
  std::ranges::sort(rows, [](const Row& a, const Row& b) {
    return std::tie(b.created_at_ms, b.name) < std::tie(a.created_at_ms, a.name);
  });
  return rows;
}

// Where the list goes on behind the run that --after names.
size_t first_row(const Arguments& arguments, const std::vector<Row>& rows) {
  const auto after = arguments.value("--after");
  if (!after) return 0;
  const auto found = std::ranges::find(rows, *after, &Row::name);
  if (found != rows.end()) return static_cast<size_t>(found - rows.begin()) + 1;
  throw Error(Exit::kNotFound, "RUN_NOT_FOUND", "--after: the list has no run \"" + *after + "\"",
              "use the \"next\" of the list before, with the same filters");
}

}  // namespace

Reply run_list(const Arguments& arguments) {
  const Session session(arguments);
  uint64_t limit = arguments.count("--limit").value_or(kDefaultLimit);
  if (arguments.has("--all")) limit = UINT64_MAX;
  Workspace workspace = session.workspace();
  std::vector<Row> rows = read_rows(arguments, workspace);

  Reply reply{.document = new_document()};
  reply.document["runsDir"] = workspace.runs_path();
  reply.document["runs"] = Document::array();
  size_t at = first_row(arguments, rows);
  for (; at < rows.size() && reply.document["runs"].size() < limit; ++at) {
    reply.document["runs"].push_back(std::move(rows[at].document));
  }
  add_cursor(reply.document, at<rows.size(), at> 0 ? rows[at - 1].name : "");
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
    if (run.contains("error")) pending = run["error"]["message"];
    table.add({{run["runId"], Colour::kBold},
               {status, status_colour(status)},
               {shown(run["processId"].get<std::string>())},
               {run.value("updatedAt", std::string("-")), Colour::kDim},
               {shown(pending)}});
  }
  if (table.empty()) return "no runs in " + shown(document["runsDir"].get<std::string>()) + "\n";
  std::string out = table.print(style);
  if (document.contains("next")) {
    out += "more: --after " + document["next"].get<std::string>() + " or --all\n";
  }
  return out;
}

}  // namespace reprise
