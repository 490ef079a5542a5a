// Which executor performs an effect.
#pragma once

#include <string>
#include <string_view>

#include "engine/executors/executor.h"

namespace reprise {

/// Is `text` the pattern, in which * stands for any characters?
bool fits(std::string_view pattern, std::string_view text);

/// The executor that the first rule names whose kind, task, label and agent fit the work. For work
/// of an agent of the home (engine/agents) a rule that names agents comes first, then what the
/// agent itself says, then the other rules. nullptr when nothing fits, when the agent names an
/// executor that is not there, and for what no executor performs: breakpoints are people's, sleeps
/// and child runs end by themselves.
const ExecutorConfig* choose_executor(const Config& config, const Work& work);
/// Does one perform what the home itself asks for: "embedding", "memory.embedding"?
bool has_executor(const Config& config, std::string_view kind, std::string_view task);

/// The name of the agent that a task asks for ("agent.name", else "skill.name"); empty: none.
std::string agent_name(std::string_view definition);

}  // namespace reprise
