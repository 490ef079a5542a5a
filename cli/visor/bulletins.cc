// bulletin:show and bulletin:list: what the visor said, from the events that it told.
#include "cli/event_cursor.h"
#include "cli/list_flags.h"
#include "cli/run_documents.h"
#include "cli/session.h"
#include "cli/text.h"
#include "cli/visor/commands.h"
#include "engine/index/envelope.h"
#include "engine/index/queries.h"
#include "journal/clock.h"

namespace reprise {
namespace {

constexpr const char* kGenerated = "visor.bulletin.generated";
constexpr uint64_t kBulletinListLimit = 20;
constexpr uint64_t kBulletinPageRows = 200;

/// What the event says of it; `error` when its record cannot be read.
Document bulletin_document(Workspace& workspace, const EventRow& row) {
  const auto told = Document::parse(envelope(workspace.runs(), row));
  Document bulletin = told.value("payload", Document::object());
  bulletin["runId"] = row.run;
  bulletin["generatedAt"] = format_time(row.at_ms);
  if (told.contains("error")) bulletin["error"] = told["error"];
  return bulletin;
}

struct BulletinPage {
  Page<EventRow> page;
  std::string epoch;
};

/// `after`: a place, or empty.
BulletinPage find(const Session& session, Workspace& workspace, const std::string& after,
                  uint64_t limit) {
  return session.index(workspace).ask([&](Database& database) {
    BulletinPage found{.page = {}, .epoch = index_epoch(database)};
    EventFilter filter{.types = {kGenerated}, .run = {}};
    filter.newest_first = true;
    filter.limit = limit;
    if (!after.empty()) filter.after = read_cursor(after, found.epoch, "--after");
    found.page = list_events(database, filter);
    return found;
  });
}

std::string member(const Document& bulletin, const char* name) {
  return bulletin.contains(name) && bulletin[name].is_string() ? bulletin[name].get<std::string>()
                                                               : std::string();
}

Error bulletin_not_found(const std::string& id) {
  return {Exit::kNotFound, "BULLETIN_NOT_FOUND",
          id.empty() ? "there is no bulletin yet" : "there is no bulletin " + shown(id, 80),
          id.empty() ? "reprise heartbeat makes the first" : "reprise bulletin:list shows them"};
}

}  // namespace

Reply bulletin_list(const Arguments& arguments) {
  const Session session(arguments);
  Workspace workspace = session.workspace_to_read();
  Reply reply{.document = new_document()};
  Document& bulletins = reply.document["bulletins"] = Document::array();
  if (!workspace.exists()) return reply;
  const auto after = arguments.value("--after").value_or("");
  const auto [page, epoch] =
      find(session, workspace, after, limit_flag(arguments, kBulletinListLimit));
  for (const auto& row : page.rows) bulletins.push_back(bulletin_document(workspace, row));
  if (!page.rows.empty()) {
    add_cursor(reply.document, page.more, make_cursor(epoch, page.rows.back().id));
  }
  return reply;
}

std::string bulletin_list_text(const Document& document, const Style& style) {
  Table table;
  for (const Document& bulletin : document["bulletins"]) {
    table.add({{bulletin["generatedAt"], Colour::kDim},
               {shown(member(bulletin, "bulletinId")), Colour::kBold},
               {shown(member(bulletin, "headline"))}});
  }
  return table.empty() ? "no bulletins\n" : table.print(style) + more_hint(document);
}

Reply bulletin_show(const Arguments& arguments) {
  const Session session(arguments);
  Workspace workspace = session.workspace_to_read();
  const auto wanted = arguments.positional("BULLETIN");
  std::string after;
  while (workspace.exists()) {
    const auto [page, epoch] =
        find(session, workspace, after, wanted.empty() ? 1 : kBulletinPageRows);
    for (const auto& row : page.rows) {
      const auto bulletin = bulletin_document(workspace, row);
      if (!wanted.empty() && member(bulletin, "bulletinId") != wanted) continue;
      Reply reply{.document = new_document()};
      for (const auto& [name, value] : bulletin.items()) reply.document[name] = value;
      return reply;
    }
    if (!page.more) break;
    after = make_cursor(epoch, page.rows.back().id);
  }
  throw bulletin_not_found(wanted);
}

std::string bulletin_show_text(const Document& document, const Style& style) {
  const auto text = [&](const char* name) { return shown(member(document, name)); };
  return paint(style, Colour::kBold, text("bulletinId")) + "  " +
         paint(style, Colour::kDim, text("generatedAt")) + "  " + text("headline") + "\n\n" +
         wrapped(shown_lines(member(document, "digest")), 98, "");
}

}  // namespace reprise
