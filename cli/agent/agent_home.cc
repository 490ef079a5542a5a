#include "cli/agent/agent_home.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/channel/channels.h"
#include "cli/configured.h"
#include "cli/text.h"
#include "engine/agents/agent_work.h"
#include "engine/executors/match.h"
#include "engine/heartbeat/agents_chore.h"
#include "engine/home/home_file.h"
#include "engine/home_run.h"
#include "engine/suggest.h"

namespace reprise {
namespace {

/// Of what names the agent; nullptr: nobody.
const ExecutorConfig* performer(const Config& config, const HomePlace& home,
                                const std::string& id) {
  Work work;
  work.home = home.path;
  work.kind = work.task = "agent";
  work.agent = id;
  return choose_executor(config, work);
}

}  // namespace

NamedAgent find_agent(const Arguments& arguments, const Workspace& workspace) {
  const auto id = arguments.positional("AGENT");
  return {id, find_agent(workspace.home_path(), id)};
}

std::vector<std::string> executor_warnings(const Arguments& arguments, const HomePlace& home,
                                           const std::string& id, const AgentConfig& agent) {
  if (agent.executor.empty()) return {};
  const Config config = configuration(arguments, home);
  if (performer(config, home, id) != nullptr) return {};
  std::vector<std::string_view> names;
  for (const auto& executor : config.executors) names.emplace_back(executor.name);
  if (std::ranges::find(names, agent.executor) != names.end()) {
    return {"nobody does its work: the executor " + agent.executor +
            " is not of the type for the runtime " + agent.runtime};
  }
  const auto meant = did_you_mean(agent.executor, names);
  return {"nobody does its work: the configuration has no executor \"" + agent.executor + "\"; " +
          (meant.empty() ? "reprise executor:list shows those that it has" : meant)};
}

/// Not by heartbeat_prompt: a file that cannot be asked is shown all the same, and is not blank.
bool is_heartbeat_blank(const HomePlace& home, const std::string& id) {
  const auto text = read_home_file(agent_folder(home.path, id) + "/HEARTBEAT.md");
  return !text || is_blank(*text);
}

Document agent_document(const Arguments& arguments, const HomePlace& home, const std::string& id,
                        const AgentConfig& agent) {
  const Config config = configuration(arguments, home);
  const auto* executor = performer(config, home, id);
  return {{"agentId", id},
          {"dir", agent_folder(home.path, id)},
          {"runtime", agent.runtime},
          {"executor", executor == nullptr ? Document(nullptr) : Document(executor->name)},
          {"channel", agent.channel},
          {"heartbeat", Document::parse(agent.json)["heartbeat"]},
          {"blank", is_heartbeat_blank(home, id)}};
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

std::string beat_text(const Document& heartbeat, const Document& status, bool blank) {
  const bool enabled = heartbeat["enabled"];
  std::string text = enabled ? "every " + counted(heartbeat["intervalMinutes"].get<uint64_t>(),
                                                  "minute", "minutes")
                             : "off";
  if (enabled && blank) text += ", but HEARTBEAT.md is blank";
  if (status["state"] == "running") return text + ", one is running";
  const auto result = member_text(status, "lastResult");
  if (!result.empty()) text += ", last " + result + " " + member_text(status, "lastRunAt");
  return text;
}

}  // namespace reprise
