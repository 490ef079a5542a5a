#include "cli/agent/agent_home.h"

#include <nlohmann/json.hpp>

#include "cli/channel/channels.h"
#include "cli/configured.h"
#include "cli/text.h"
#include "engine/executors/match.h"
#include "engine/heartbeat/agents_chore.h"
#include "engine/home_run.h"
#include "journal/error.h"

namespace reprise {

NamedAgent find_agent(const Arguments& arguments, const Workspace& workspace) {
  const auto id = arguments.positional("AGENT");
  return {id, find_agent(workspace.home_path(), id)};
}

Document agent_document(const Arguments& arguments, const HomePlace& home, const std::string& id,
                        const AgentConfig& agent) {
  const Config config = configuration(arguments, home);
  Work work;
  work.home = home.path;
  work.kind = work.task = "agent";
  work.agent = id;
  const auto* executor = choose_executor(config, work);
  return {{"agentId", id},
          {"dir", agent_folder(home.path, id)},
          {"runtime", agent.runtime},
          {"executor", executor == nullptr ? Document(nullptr) : Document(executor->name)},
          {"channel", agent.channel},
          {"heartbeat", Document::parse(agent.json)["heartbeat"]}};
}

Document beat_status(const std::string& answer) {
  Document status = Document::parse(answer);
  if (status.is_null()) {
    status = {{"state", "idle"},         {"runs", 0},   {"ok", 0},
              {"reported", 0},           {"failed", 0}, {"skipped", 0},
              {"consecutiveFailures", 0}};
  }
  // The command names the agent; the rest is the process's own business.
  for (const char* name : {"agentId", "window", "skips"}) status.erase(name);
  write_times(status);
  return status;
}

Document beat_status(const Session& session, Workspace& workspace, const std::string& id) {
  const auto run = find_home_run(workspace, {.name = kAgentsRun, .process = kAgentsRun});
  if (!run) return beat_status("null");
  return beat_status(ask(*run->dir, session.context(), print_json({{"ask", "agent"}, {"id", id}})));
}

std::string beat_text(const Document& heartbeat, const Document& status) {
  const bool enabled = heartbeat["enabled"];
  std::string text = enabled ? "every " + counted(heartbeat["intervalMinutes"].get<uint64_t>(),
                                                  "minute", "minutes")
                             : "off";
  if (status["state"] == "running") return text + ", one is running";
  const auto result = text_member(status, "lastResult");
  if (!result.empty()) text += ", last " + result + " " + text_member(status, "lastRunAt");
  return text;
}

}  // namespace reprise
