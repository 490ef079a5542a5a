// channel:delete: the channel and its threads end, and their runs go to the archive. Threads go
// first: a delete that was cut short is finished by the next one.
#include <algorithm>

#include "cli/channel/commands.h"
#include "cli/channel/making.h"
#include "cli/channel/signal_request.h"
#include "cli/iteration.h"
#include "cli/text.h"
#include "engine/family.h"
#include "engine/index/queries.h"
#include "engine/put_away.h"

namespace reprise {
namespace {

/// Threads of threads.
constexpr int kDeepest = 32;

std::vector<std::string> threads_of(RunIndex& index, const std::string& channel) {
  RunFilter filter{.statuses = {}, .labels = {{kParentLabel, channel}}, .limit = UINT32_MAX};
  const auto page = index.ask([&](Database& database) { return list_runs(database, filter); });
  std::vector<std::string> names;
  for (const RunRow& row : page->rows) names.push_back(row.name);
  return names;
}

/// Deepest first, the channel itself last.
void add_family(RunIndex& index, const std::string& channel, int depth,
                std::vector<std::string>& family) {
  if (std::ranges::find(family, channel) != family.end()) return;
  if (depth > 0) {
    for (const auto& thread : threads_of(index, channel)) {
      if (thread != channel) add_family(index, thread, depth - 1, family);
    }
  }
  if (std::ranges::find(family, channel) == family.end()) family.push_back(channel);
}

std::vector<std::string> family_of(const Session& session, const RunHandle& channel) {
  Workspace workspace = session.workspace();
  auto index = session.index(workspace);
  std::vector<std::string> family;
  add_family(index, channel.name, kDeepest, family);
  return family;
}

Document plan_row(const Session& session, const RunHandle& channel) {
  const Document answer = ask_channel(session, channel, {{"ask", "channel"}});
  const RunState state = read_state(*channel.dir).state;
  Document row = {{"runId", channel.name},
                  {"runDir", channel.path},
                  {"status", status_name(state.status())},
                  {"pending", state.end ? 0 : state.open.size()}};
  row["queued"] = answer.is_object() && answer.contains("queue") ? answer["queue"].size() : 0;
  return row;
}

/// Ends it, if it has not ended; what cannot be put away now stays where it is, ended.
void remove(const Session& session, const RunHandle& channel, const std::string& by, Reply& reply) {
  const Neighbours neighbours(channel);
  if (!read_state(*channel.dir).state.end) {
    Signal signal{.name = "channel.delete", .value = {}, .key = "delete"};
    signal.value = parse_value("{\"by\":" + quote(by) + "}", "--by");
    const Told told = tell_among(neighbours.folder(), channel.name, *channel.dir, session.context(),
                                 {signal}, After::kIterate, {});
    iterate_children(session, channel, reply.warnings);
    reply.warnings.insert(reply.warnings.end(), told.iteration.notes.begin(),
                          told.iteration.notes.end());
  }
  const auto plan = plan_put_away(neighbours.folder().runs, channel.name, session.context());
  archive_runs(neighbours.folder().path, plan, session.context());
}

}  // namespace

Reply channel_delete(const Arguments& arguments) {
  const Session session(arguments);
  const RunHandle channel = find_channel(session, arguments);
  const std::string by = by_flag(arguments, session);
  const bool dry_run = arguments.has("--dry-run");
  const bool yes = arguments.has("--yes") && !dry_run;
  Reply reply{.document = new_document()};
  reply.document["runId"] = channel.name;
  reply.document["deleted"] = yes;
  reply.document["dryRun"] = dry_run;
  reply.document["archive"] = archive_path(session.workspace().runs_path());
  Document& plan = reply.document["channels"] = Document::array();
  std::vector<RunHandle> family;
  for (const auto& name : family_of(session, channel)) {
    family.push_back(session.find_run(name));
    plan.push_back(plan_row(session, family.back()));
  }
  if (!yes && !dry_run) reply.exit = Exit::kUsage;
  if (!yes) return reply;
  for (const RunHandle& each : family) remove(session, each, by, reply);
  return reply;
}

std::string channel_delete_text(const Document& document, const Style& style) {
  const bool deleted = document["deleted"];
  const std::string archive = shown(document["archive"].get<std::string>());
  std::string out = deleted ? "deleted, and moved to " + archive + "\n"
                            : "would be deleted, and moved to " + archive + "\n";
  Table table;
  for (const Document& channel : document["channels"]) {
    table.add(
        {{shown(channel["runId"].get<std::string>()), Colour::kBold},
         {counted(channel["queued"].get<uint64_t>(), "message waits", "messages wait")},
         {counted(channel["pending"].get<uint64_t>(), "effect is open", "effects are open")}});
  }
  out += table.print(style, "  ");
  if (deleted || document["dryRun"]) return out;
  return out + "  nothing was done: --yes deletes\n";
}

}  // namespace reprise
