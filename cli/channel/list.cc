// channel:list: the channels of the home, from the index; what each does is asked of those that are
// shown.
#include "cli/channel/commands.h"
#include "cli/channel/making.h"
#include "cli/list_flags.h"
#include "cli/run_documents.h"
#include "cli/text.h"
#include "engine/index/queries.h"
#include "journal/clock.h"

namespace reprise {
namespace {

constexpr uint64_t kChannelListLimit = 20;
constexpr size_t kChannelNameWidth = 32;

size_t size_of(const Document& object, const char* name) {
  return object.is_object() && object.contains(name) ? object[name].size() : 0;
}

/// In one word, what an operator wants to know first.
std::string standing_of(const Document& channel, const std::string& status) {
  if (status != "waiting" && status != "ready" && status != "created") return status;
  if (channel.value("identity", Document::object()).value("held", false)) return "held";
  if (!member_text(channel.value("parking", Document()), "cardId").empty()) return "parked";
  if (size_of(channel, "run") > 0) return "answering";
  return "idle";
}

Document row_of(const Session& session, Workspace& workspace, const RunRow& run) {
  Document row = {{"runId", run.name}, {"status", run.status}};
  if (!run.code.empty()) {
    row["error"] = {{"code", run.code}, {"message", run.message}};
    return row;
  }
  row["updatedAt"] = format_time(run.updated_at_ms);
  const RunHandle handle = workspace.find(run.name);
  const Document channel = ask_channel(session, handle, {{"ask", "channel"}});
  if (!channel.is_object()) return row;
  const Document identity = channel.value("identity", Document::object());
  for (const char* name : {"name", "platform", "parent"}) {
    if (const auto text = member_text(identity, name); !text.empty()) row[name] = text;
  }
  row["standing"] = standing_of(channel, run.status);
  row["queued"] = size_of(channel, "queue");
  row["utilization"] = channel.value("utilization", 0.0);
  return row;
}

RunFilter read_channel_filter(const Arguments& arguments) {
  RunFilter filter;
  filter.statuses = arguments.values("--status");
  filter.process = std::string(kChannelProcess);
  if (const auto parent = arguments.value("--parent")) {
    filter.labels = {{kParentLabel, *parent}};
  }
  filter.after = arguments.value("--after").value_or("");
  filter.limit = limit_flag(arguments, kChannelListLimit);
  return filter;
}

}  // namespace

Reply channel_list(const Arguments& arguments) {
  const Session session(arguments);
  Workspace workspace = session.workspace();
  const RunFilter filter = read_channel_filter(arguments);
  Reply reply{.document = new_document()};
  reply.document["runsDir"] = workspace.runs_path();
  Document& channels = reply.document["channels"] = Document::array();
  if (!workspace.exists()) return reply;
  auto index = session.index(workspace);
  const auto page = index.ask([&](Database& database) { return list_runs(database, filter); });
  if (!page) {
    throw Error(Exit::kNotFound, "RUN_NOT_FOUND",
                "--after: the list has no channel \"" + filter.after + "\"",
                "use the \"next\" of the list before");
  }
  for (const RunRow& run : page->rows) channels.push_back(row_of(session, workspace, run));
  add_cursor(reply.document, page->more, page->rows.empty() ? "" : page->rows.back().name);
  return reply;
}

std::string channel_list_text(const Document& document, const Style& style) {
  Table table;
  for (const Document& channel : document["channels"]) {
    const std::string status = channel["status"];
    const std::string standing = member_text(channel, "standing");
    const uint64_t queued = channel.value("queued", uint64_t{0});
    table.add({{shown(channel["runId"].get<std::string>()), Colour::kBold},
               {standing.empty() ? status : standing, status_colour(status)},
               {queued > 0 ? std::to_string(queued) + " queued" : ""},
               {shown(member_text(channel, "platform"))},
               {shown(member_text(channel, "name"), kChannelNameWidth)},
               {member_text(channel, "updatedAt"), Colour::kDim}});
  }
  if (table.empty()) {
    return "no channels in " + shown(document["runsDir"].get<std::string>()) +
           "\n  next  reprise channel:create CHANNEL\n";
  }
  return table.print(style) + more_hint(document);
}

}  // namespace reprise
