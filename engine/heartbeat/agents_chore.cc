#include "engine/heartbeat/agents_chore.h"

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "engine/ask.h"
#include "engine/home_run.h"
#include "engine/tell_home.h"
#include "journal/error.h"
#include "journal/value.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

HomeRun agents_run(bool simulated) {
  return {.name = kAgentsRun, .process = kAgentsRun, .simulated = simulated};
}

/// How an agent stands with its heartbeats.
struct AgentStanding {
  int64_t window = -1;
  bool busy = false;  ///< one runs, and that others are skipped was told
};

std::map<std::string, AgentStanding> standings_of(BeatHome& home) {
  std::map<std::string, AgentStanding> standings;
  home.asked.ask(home, agents_run(home.simulated), [&](const Machine& machine, const RunState&) {
    const auto answer = Json::parse(machine.answer(R"({"ask":"agents"})"));
    for (const auto& agent : answer) {
      standings[agent["agentId"]] = {agent["window"], agent["skips"]};
    }
  });
  return standings;
}

Due due_of(const std::string& id, int64_t window) {
  return {.key = id + "@" + std::to_string(window),
          .what = "heartbeat of the agent " + id,
          .run = kAgentsRun};
}

/// The newest one of the home; empty: there is none.
std::string bulletin_of(const Workspace& workspace, const Context& context) {
  if (context.memory == nullptr) return {};
  const auto answer =
      Json::parse(context.memory->answer({.run_path = workspace.runs_path() + "/" + kAgentsRun,
                                          .args = R"({"bulletin":true,"limit":0,"query":""})",
                                          .now_ms = context.clock.now_ms(),
                                          .own = {}}));
  const auto found = answer.find("bulletin");
  return found != answer.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// The agent's channel: somebody else may have made it.
void make_channel(Workspace& workspace, const Context& context, const AgentBeat& beat) {
  const auto& id = beat.config.channel;
  if (workspace.runs().stat(id)) return;
  const Json inputs = {{"id", id}, {"name", "Agent " + beat.id}};
  open_home_run(
      workspace, context,
      {.name = id, .process = "channel", .inputs = inputs.dump(), .simulated = beat.simulated});
}

class AgentsChore final : public Chore {
 public:
  std::string_view name() const override { return "agents"; }

  std::vector<Due> due(BeatHome& home) override {
    std::vector<Due> all;
    std::optional<std::map<std::string, AgentStanding>> standings;
    for (const auto& id : list_agents(home.workspace.home_path())) {
      const auto window = window_or_now(home, id);
      if (!window) continue;
      if (!standings) standings = standings_of(home);
      const auto& standing = (*standings)[id];
      if (*window > standing.window && !standing.busy) all.push_back(due_of(id, *window));
    }
    return all;
  }

  void perform(BeatHome& home, const Due& due) override {
    const auto id = due.key.substr(0, due.key.rfind('@'));
    const auto config = beating_agent(home, id);
    if (!config) return;
    const auto window = window_of(home.now_ms, config->interval_ms);
    tell_beat(home.workspace, home.context,
              {.id = id,
               .config = *config,
               .cause = "due",
               .key = "beat:" + id + "@" + std::to_string(window),
               .simulated = home.simulated});
  }

 private:
  /// nullopt: it has no heartbeat.
  std::optional<AgentConfig> beating_agent(BeatHome& home, const std::string& id) {
    const auto& path = home.workspace.home_path();
    auto config = x_agents.load(path, id);
    const bool beats = config && config->heartbeat && !heartbeat_prompt(path, id).empty();
    return beats ? std::move(config) : std::nullopt;
  }

  /// An agent whose files cannot be read is due: performing it, which looks again, says why.
  std::optional<int64_t> window_or_now(BeatHome& home, const std::string& id) {
    try {
      const auto config = beating_agent(home, id);
      return config ? std::optional(window_of(home.now_ms, config->interval_ms)) : std::nullopt;
    } catch (const Error&) {
      return home.now_ms;
    }
  }

  KnownAgents x_agents;
};

}  // namespace

Told tell_beat(Workspace& workspace, const Context& context, const AgentBeat& beat) {
  const auto prompt = heartbeat_prompt(workspace.home_path(), beat.id);
  if (prompt.empty()) {
    throw Error(Exit::kConflict, "HEARTBEAT_BLANK",
                "HEARTBEAT.md of " + beat.id + " says nothing: there is nothing to ask",
                "write into " + agent_folder(workspace.home_path(), beat.id) + "/HEARTBEAT.md");
  }
  const auto window = window_of(context.clock.now_ms(), beat.config.interval_ms);
  Json value = {{"agentId", beat.id},
                {"window", window},
                {"cause", beat.cause},
                {"prompt", prompt},
                {"channel", beat.config.channel},
                {"timeoutMs", beat.config.timeout_ms}};
  if (auto bulletin = bulletin_of(workspace, context); !bulletin.empty()) {
    value["bulletin"] = std::move(bulletin);
  }
  const auto run = open_home_run(workspace, context, agents_run(beat.simulated));
  make_channel(workspace, context, beat);
  Signal signal;
  signal.name = "agent.beat";
  signal.value = parse_value(value.dump(), "a heartbeat");
  signal.key = beat.key;
  return tell_home_run(workspace, context, run, {signal},
                       Json{{"ask", "agent"}, {"id", beat.id}}.dump());
}

std::unique_ptr<Chore> make_agents_chore() { return std::make_unique<AgentsChore>(); }

}  // namespace reprise
