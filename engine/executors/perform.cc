#include "engine/executors/executor.h"
#include "engine/executors/executors.h"
#include "engine/executors/openai.h"
#include "engine/executors/outcome.h"
#include "engine/executors/turn.h"
#include "journal/clock.h"
#include "journal/error.h"
#include "journal/value.h"

namespace reprise {

namespace {

Outcome perform_by_type(const Work& work, const ExecutorConfig& executor, const Policy& policy,
                        const WorkEvents& events) {
  if (executor.type == "shell") return perform_shell(work, executor, policy, events);
  if (executor.type == "command") return perform_command(work, executor, policy, events);
  if (executor.type == "openai") return perform_openai(work, executor, policy, events);
  if (executor.type == "mock") return perform_mock(work, executor, events);
  throw Error(Exit::kUsage, "INVALID_EXECUTOR",
              "executor " + executor.name + " is of type \"" + executor.type + "\", which is none",
              "the types are shell, command, openai and mock");
}

/// A channel's effect is put to the executor as a task, and its answer read as a result.
Outcome perform_any(const Work& work, const ExecutorConfig& executor, const Policy& policy,
                    const WorkEvents& events) {
  const auto* kind = find_turn_kind(work);
  if (kind == nullptr) return perform_by_type(work, executor, policy, events);
  Turn turn(*kind, work, executor, events);
  return turn.result(perform_by_type(turn.work(), executor, policy, turn.events()));
}

/// On one line, as events and records are. What no journal takes is an error of whoever made it.
Outcome checked(Outcome outcome) {
  try {
    outcome.value = parse_value(outcome.value, "the result").text;
    if (!outcome.metadata.empty()) {
      outcome.metadata = parse_value(outcome.metadata, "the result's metadata").text;
    }
    return outcome;
  } catch (const Error& error) {
    auto refused = error_outcome("OutputInvalid", error.message());
    refused.stdout_ref = outcome.stdout_ref;
    refused.stderr_ref = outcome.stderr_ref;
    return refused;
  }
}

}  // namespace

bool in_process(const ExecutorConfig& executor) {
  return executor.type == "mock" && mock_is_instant(executor);
}

Outcome perform(const Work& work, const ExecutorConfig& executor, const Policy& policy,
                const WorkEvents& events) {
  // A mock says the same whenever it is asked.
  if (executor.type == "mock") return perform_any(work, executor, policy, events);
  WallClock clock;
  const auto started_at_ms = clock.now_ms();
  Outcome outcome = checked(perform_any(work, executor, policy, events));
  outcome.started_at_ms = started_at_ms;
  outcome.finished_at_ms = clock.now_ms();
  return outcome;
}

}  // namespace reprise
