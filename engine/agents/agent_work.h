// Work that names an agent: who does it, and what the agent's own configuration adds to it.
#pragma once

#include "engine/agents/agent.h"
#include "engine/executors/executor.h"

namespace reprise {

/// The executor that an agent's configuration names, or the first one of its runtime's type.
/// nullptr: there is none, or it is of another type.
const ExecutorConfig* executor_of(const Config& config, const AgentConfig& agent);

/// The agent that the work names, of the work's home. nullopt: it names none, or there is none of
/// that name. Errors: those of load_agent.
std::optional<AgentConfig> agent_of(const Work& work);

/// The work with what its agent says: the model, unless the task names one; the instructions, as
/// "agent.instructions" of its definition; the permission, when the task has more. Unchanged
/// without an agent. Errors: those of load_agent and agent_instructions; AGENT_NOT_FOUND (exit 3)
/// for a worker or a heartbeat whose agent is not there.
Work with_agent(const Work& work, const Policy& policy);

}  // namespace reprise
