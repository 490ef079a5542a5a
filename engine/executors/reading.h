// Where in a program's output its result stands (docs/executors.md, "Command executors").
#pragma once

#include <string>
#include <string_view>

#include "engine/executors/executor.h"
#include "engine/program.h"

namespace reprise {

/// By the executor's "output" and "read". The result, or the error "AgentError" when the output
/// says that it failed, or "OutputInvalid" when there is no result where it should be. Session,
/// cost, usage and model become metadata {"session","costUsd","usage","model"}.
Outcome read_output(std::string_view executor, std::string_view printed,
                    std::string_view definition);
/// All that a program printed is the result of a good outcome when it is JSON.
void take_printed_value(Outcome& outcome, const ProgramEnd& end);

}  // namespace reprise
