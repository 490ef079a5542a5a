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

/// {agentId, dir, runtime, executor, channel, heartbeat}
Document agent_document(const Arguments& arguments, const HomePlace& home, const std::string& id,
                        const AgentConfig& agent);
/// How its heartbeats went: docs of agent:heartbeat.
Document beat_status(const Session& session, Workspace& workspace, const std::string& id);
Document beat_status(const std::string& answer);

/// "every 5 minutes, last 2026-... ok".
std::string beat_text(const Document& heartbeat, const Document& status);

}  // namespace reprise
