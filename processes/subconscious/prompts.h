// What models and agents are told: prompts as engine/executors renders them (role, task, context,
// instructions, outputFormat).
#pragma once

#include "processes/subconscious/matrix.h"
#include "processes/subconscious/state.h"

namespace reprise::subconscious {

/// A line of an analysis that begins so names what should be done.
constexpr std::string_view kRecommendation = "RECOMMENDED ACTION:";

/// One question for all due tasks of the open tick.
Json evaluation_prompt(const Loop& loop);
/// The JSON Schema of the answer. It asks for a form; what comes is read with patience.
Json evaluation_schema();
/// The work that a decision asks for.
Json work_prompt(const Work& work, const Task& task, const Tick& tick);
/// What was approved, and nothing else.
Json approved_prompt(const Card& card);

}  // namespace reprise::subconscious
