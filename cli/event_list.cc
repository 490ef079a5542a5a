// event:list: the domain events of all runs, in the order in which the index learnt of them.
#include "cli/commands.h"
#include "cli/event_cursor.h"
#include "cli/list_flags.h"
#include "cli/run_documents.h"
#include "cli/session.h"
#include "cli/text.h"
#include "engine/index/queries.h"
#include "journal/clock.h"

namespace reprise {
namespace {

constexpr uint64_t kEventListLimit = 100;
constexpr size_t kEventPayloadWidth = 60;

void add_payload(Document& event, Workspace& workspace, const EventRow& row) {
  try {
    const auto dir = workspace.runs().open_dir(row.run);
    if (!dir) throw Error(Exit::kNotFound, "RUN_NOT_FOUND", "the run is gone");
    JsonReader reader;
    std::string buffer;
    const auto& data = read_data(*dir, row.place, buffer, reader);
    event["payload"] = raw_json(load_value(data, "payload", *dir));
  } catch (const Error& error) {
    event["error"] = {{"code", error.code()}, {"message", error.message()}};
  }
}

struct EventPage {
  Page<EventRow> page;
  std::string epoch;
  int64_t after = 0;
};

}  // namespace

Reply event_list(const Arguments& arguments) {
  const Session session(arguments);
  Workspace workspace = session.workspace_to_read();
  EventFilter filter{.types = arguments.values("--type"), .run = {}};
  if (const auto run = arguments.value("--run")) filter.run = workspace.find(*run).name;
  filter.since_ms = since_flag(arguments, session.context().clock.now_ms());
  filter.limit = limit_flag(arguments, kEventListLimit);
  const auto after = arguments.value("--after");

  Reply reply{.document = new_document()};
  reply.document["runsDir"] = workspace.runs_path();
  Document& events = reply.document["events"] = Document::array();
  if (!workspace.exists()) return reply;
  auto index = session.index(workspace);
  const auto [page, epoch, from] = index.ask([&](Database& database) {
    EventPage answer{.page = {}, .epoch = index_epoch(database)};
    filter.after = answer.after = after ? read_cursor(*after, answer.epoch, "--after") : 0;
    answer.page = list_events(database, filter);
    return answer;
  });
  for (const EventRow& row : page.rows) {
    Document& event = events.emplace_back(Document{
        {"runId", row.run}, {"seq", row.seq}, {"type", row.type}, {"at", format_time(row.at_ms)}});
    add_payload(event, workspace, row);
  }
  const auto cursor = make_cursor(epoch, page.rows.empty() ? from : page.rows.back().id);
  reply.document["cursor"] = cursor;
  add_cursor(reply.document, page.more, cursor);
  return reply;
}

std::string event_list_text(const Document& document, const Style& style) {
  Table table;
  for (const Document& event : document["events"]) {
    const bool readable = event.contains("payload");
    const std::string what =
        readable ? json_of(event["payload"]) : event["error"]["message"].get<std::string>();
    table.add({{event["at"], Colour::kDim},
               {shown(event["runId"].get<std::string>()), Colour::kBold},
               {shown(event["type"].get<std::string>())},
               {shown(what, kEventPayloadWidth), readable ? Colour::kPlain : Colour::kRed}});
  }
  if (table.empty()) return "no events\n";
  return table.print(style) + more_hint(document);
}

}  // namespace reprise
