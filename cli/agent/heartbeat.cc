// agent:heartbeat: how an agent's heartbeats went, and one more now.
#include "cli/agent/agent_home.h"
#include "cli/agent/commands.h"
#include "cli/channel/channels.h"
#include "cli/channel/signal_request.h"
#include "cli/text.h"
#include "engine/heartbeat/agents_chore.h"
#include "journal/clock.h"

namespace reprise {

Reply agent_heartbeat(const Arguments& arguments) {
  const Session session(arguments);
  const bool starts = arguments.has("--run-now");
  Workspace workspace = starts ? session.workspace(true) : session.workspace_to_read();
  const auto [id, config] = find_agent(arguments, workspace);
  Reply reply{.document = new_document()};
  reply.document["agentId"] = id;
  reply.document["heartbeat"] = Document::parse(config.json)["heartbeat"];
  if (starts) {
    const Told told =
        tell_beat(workspace, session.context(),
                  {.id = id,
                   .config = config,
                   .cause = "now",
                   .key = checked_text(arguments.value("--key").value_or(""), "--key"),
                   .simulated = arguments.has("--now")});
    reply.document["started"] = told.signals.front().recorded;
    reply.document["status"] = beat_status(told.answer);
    reply.warnings = told.iteration.notes;
  } else {
    reply.document["status"] = beat_status(session, workspace, id);
  }
  const bool blank = is_heartbeat_blank(workspace.home(), id);
  reply.document["blank"] = blank;
  if (config.heartbeat && !blank) {
    const auto window = window_of(session.context().clock.now_ms(), config.interval_ms);
    reply.document["nextAt"] = format_time(window + config.interval_ms);
  }
  return reply;
}

std::string agent_heartbeat_text(const Document& document, const Style& style) {
  const Document& status = document["status"];
  Table table;
  const auto add = [&](const char* name, const std::string& text) {
    if (!text.empty()) table.add({{name, Colour::kDim}, {shown(text)}});
  };
  const auto count = [&](const char* name) { return std::to_string(status[name].get<uint64_t>()); };
  add("next", member_text(document, "nextAt"));
  add("running", member_text(status, "runningSinceAt"));
  add("last run", member_text(status, "lastRunAt"));
  add("success", member_text(status, "lastSuccessAt"));
  add("failure", member_text(status, "lastFailureAt"));
  add("reason", member_text(status, "reason"));
  add("in all", count("runs") + ": " + count("ok") + " ok, " + count("reported") + " reported, " +
                    count("failed") + " failed; " + count("skipped") + " skipped");
  std::string text = paint(style, Colour::kBold, shown(member_text(document, "agentId"))) +
                     "  heartbeat " + beat_text(document["heartbeat"], status, document["blank"]) +
                     "\n" + table.print(style, "  ");
  const bool waits = status["state"] == "running";
  return waits ? text + "  next  reprise run:drive agents\n" : text;
}

}  // namespace reprise
