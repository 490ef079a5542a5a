// What a heartbeat does for the agents of a home: each whose own heartbeat is enabled, and whose
// HEARTBEAT.md says something, is asked once in each of its intervals.
#pragma once

#include <memory>
#include <string>

#include "engine/agents/agent.h"
#include "engine/heartbeat/chore.h"
#include "engine/heartbeat/window.h"
#include "engine/tell.h"

namespace reprise {

/// The run of all agents, and its process.
constexpr const char* kAgentsRun = "agents";

/// Due.key is "<agent>@<beginning of the interval, in milliseconds>".
std::unique_ptr<Chore> make_agents_chore();

struct AgentBeat {
  const std::string& id;
  const AgentConfig& config;
  const char* cause;  ///< "due" or "now"
  std::string key;    ///< a repeat with it changes nothing; or empty
  bool simulated = false;
};
/// Tells the run of the agents of one heartbeat, with what HEARTBEAT.md says and the newest
/// bulletin; the run, and the agent's channel, are made when they are missing. Errors:
/// HEARTBEAT_BLANK (exit 4), those of heartbeat_prompt, open_home_run and tell.
Told tell_beat(Workspace& workspace, const Context& context, const AgentBeat& beat);

}  // namespace reprise
