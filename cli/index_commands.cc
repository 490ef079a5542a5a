// index:status and index:rebuild.
#include "cli/commands.h"
#include "cli/session.h"
#include "cli/text.h"
#include "engine/index/queries.h"

namespace reprise {
namespace {

const char* where_name(IndexStore::Where where) {
  switch (where) {
    case IndexStore::Where::kHome:
      return "home";
    case IndexStore::Where::kPrivate:
      return "private";
    case IndexStore::Where::kMemory:
      return "memory";
  }
  return "";
}

Reply index_reply(const Arguments& arguments, bool rebuild) {
  const Session session(arguments);
  Workspace workspace = session.workspace_to_read();
  auto index = session.index(workspace);
  if (rebuild) index.rebuild();
  Reply reply{.document = new_document()};
  Document& document = reply.document;
  document["runsDir"] = workspace.runs_path();
  index.ask([&](Database& database) {
    const auto counts = count_runs(database);
    uint64_t runs = 0;
    document["runs"] = 0;
    document["byStatus"] = Document::object();
    for (const auto& [status, count] : counts) {
      document["byStatus"][status] = count;
      runs += count;
    }
    document["runs"] = runs;
    document["records"] = count_records(database);
    document["pendingEffects"] = count_effects(database);
    document["events"] = count_events(database);
    document["watched"] = count_touched(database);
  });
  document["where"] = where_name(index.store().where());
  if (!index.store().path().empty()) document["path"] = index.store().path();
  document["bytes"] = index.store().bytes();
  document["compared"] = index.refreshed().compared;
  document["runsRead"] = index.refreshed().runs_read;
  if (!index.damage().empty()) {
    reply.warnings.push_back("the index was made anew: " + index.damage());
  }
  return reply;
}

}  // namespace

Reply index_status(const Arguments& arguments) { return index_reply(arguments, false); }
Reply index_rebuild(const Arguments& arguments) { return index_reply(arguments, true); }

std::string index_text(const Document& document, const Style& style) {
  const auto number = [&document](const char* name) { return document[name].get<uint64_t>(); };
  std::string statuses;
  for (const auto& [status, count] : document["byStatus"].items()) {
    statuses +=
        (statuses.empty() ? "" : ", ") + std::to_string(count.get<uint64_t>()) + " " + status;
  }
  Table table;
  const auto row = [&table](const char* name, const std::string& text) {
    table.add({{name, Colour::kDim}, {shown(text)}});
  };
  row("index", document.value("path", std::string("in memory, for nothing can be written")));
  row("runs", std::to_string(number("runs")) + (statuses.empty() ? "" : ": " + statuses));
  row("records", std::to_string(number("records")));
  row("pending", counted(number("pendingEffects"), "effect", "effects"));
  row("events", std::to_string(number("events")));
  if (number("watched") > 0) {
    row("watched", counted(number("watched"), "run", "runs") + ", being written or damaged");
  }
  row("read", counted(number("runsRead"), "run", "runs") + " just now");
  return table.print(style);
}

}  // namespace reprise
