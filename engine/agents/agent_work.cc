#include "engine/agents/agent_work.h"

#include <algorithm>

#include "engine/executors/json_fields.h"
#include "engine/executors/policy.h"

namespace reprise {

namespace {

/// Of executors, by an agent's runtime. A mock stands in for any.
std::string_view type_of(std::string_view runtime) {
  if (runtime == "native") return "openai";
  return runtime == "command" ? "command" : "";
}

bool is_for(const ExecutorConfig& executor, const AgentConfig& agent) {
  const auto type = type_of(agent.runtime);
  return !type.empty() && (executor.type == type || executor.type == "mock");
}

/// The parts of a home that know its own agents alone. A script calls its work as it likes: rules
/// of "match" and programs know names, too.
bool is_for_own_agent(const Work& work) {
  return work.task == "channel.worker" || work.task == "agents.heartbeat";
}

Permission permission_named(std::string_view name) {
  if (name == "none") return Permission::kNone;
  return name == "read" ? Permission::kRead : Permission::kFull;
}

}  // namespace

const ExecutorConfig* executor_of(const Config& config, const AgentConfig& agent) {
  const auto found = std::ranges::find_if(config.executors, [&](const ExecutorConfig& executor) {
    if (agent.executor.empty()) return executor.type == type_of(agent.runtime);
    return executor.name == agent.executor && is_for(executor, agent);
  });
  return found == config.executors.end() ? nullptr : &*found;
}

std::optional<AgentConfig> agent_of(const Work& work) {
  if (work.agent.empty() || work.home.empty()) return std::nullopt;
  return load_agent(work.home, work.agent);
}

Work with_agent(const Work& work, const Policy& policy) {
  const auto agent = agent_of(work);
  if (!agent) {
    // Without its instructions and limits it would be somebody else's work.
    if (!work.agent.empty() && !work.home.empty() && is_for_own_agent(work)) {
      find_agent(work.home, work.agent);
    }
    return work;
  }
  auto task = parse_object(work.definition);
  // A skill's name selects an agent, too.
  if (!field(task, "agent").is_object()) task["agent"] = OrderedJson::object();
  auto& told = task["agent"];
  if (!agent->model.empty() && text_field(told, "model").empty()) told["model"] = agent->model;
  const auto instructions = agent_instructions(work.home, work.agent);
  if (!instructions.empty() && text_field(told, "instructions").empty()) {
    told["instructions"] = instructions;
  }
  const auto asked = permission_of(work.definition, policy);
  if (asked != Permission::kUnknown && asked > permission_named(agent->permission)) {
    task["permission"] = agent->permission;
  }
  Work with = work;
  with.definition = json_text(task);
  return with;
}

}  // namespace reprise
