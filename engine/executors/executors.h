// The executors, one a type. perform.cc chooses among them; what they are told in config.json is in
// docs/executors.md.
#pragma once

#include "engine/executors/executor.h"

namespace reprise {

/// Tasks of kind shell and node, and all that have a member of that name.
Outcome perform_shell(const Work& work, const ExecutorConfig& executor, const Policy& policy,
                      const WorkEvents& events);

/// A program that takes the task and gives the result: coding agents and others.
Outcome perform_command(const Work& work, const ExecutorConfig& executor, const Policy& policy,
                        const WorkEvents& events);

/// Answers from its configuration.
Outcome perform_mock(const Work& work, const ExecutorConfig& executor, const WorkEvents& events);
/// It waits for nothing.
bool mock_is_instant(const ExecutorConfig& executor);

}  // namespace reprise
