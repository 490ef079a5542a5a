// One heartbeat: what the agent is asked, and what is made of its answer.
#pragma once

#include <string>
#include <vector>

#include "engine/process/process.h"
#include "processes/agents/state.h"

namespace reprise::agents {

/// What an agent answers that has nothing to say.
constexpr std::string_view kNothingToSay = "HEARTBEAT_OK";

/// The commands of a signal agent.beat that nothing is wrong with.
std::vector<Command> begin_beat(const State& state, const Json& beat);

/// What came of the request with that key; `value` is the result, or the error.
std::vector<Command> take_result(const State& state, const std::string& key, bool ok,
                                 const Json& value);

}  // namespace reprise::agents
