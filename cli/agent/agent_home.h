// What the commands agent:* have in common.
#pragma once

#include <string>

#include "cli/session.h"
#include "engine/agents/agent.h"

namespace reprise {

/// AGENT of the tables.
inline constexpr Positional kAgentPositional = {"AGENT", "the agent: the name of its folder"};

/// The agent that the positional AGENT names, in a home. Errors AGENT_NOT_FOUND (exit 3),
/// CONFIG_INVALID (exit 2).
struct NamedAgent {
  std::string id;
  AgentConfig config;
};
NamedAgent find_agent(const Arguments& arguments, const Workspace& workspace);

/// What keeps the executor that the agent names from its work: it is not there, or of another type.
std::vector<std::string> executor_warnings(const Arguments& arguments, const HomePlace& home,
                                           const std::string& id, const AgentConfig& agent);

/// Says its HEARTBEAT.md nothing? Then there are no heartbeats.
bool is_heartbeat_blank(const HomePlace& home, const std::string& id);

/// {agentId, dir, runtime, executor, channel, heartbeat, blank}
Document agent_document(const Arguments& arguments, const HomePlace& home, const std::string& id,
                        const AgentConfig& agent);
/// How its heartbeats went: docs of agent:heartbeat.
Document beat_status(const Session& session, Workspace& workspace, const std::string& id);
Document beat_status(const std::string& answer);

/// "every 5 minutes, last 2026-... ok". `blank`: there is nothing to ask.
std::string beat_text(const Document& heartbeat, const Document& status, bool blank);

}  // namespace reprise
