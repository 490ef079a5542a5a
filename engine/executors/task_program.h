// A program that performs an attempt: run within the policy, with the variables that executors see,
// its output kept in the logs of the task.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/executors/executor.h"
#include "engine/executors/outcome.h"
#include "engine/program.h"
#include "engine/task_log.h"

namespace reprise {

/// What each executor that starts programs takes in its entry of config.json.
struct ProgramSettings {
  std::string folder;                              ///< "cwd"
  std::map<std::string, std::string> environment;  ///< "environment"
  std::vector<std::string> passed;    ///< "passEnvironment": variables besides the policy's
  std::vector<std::string> writable;  ///< folders besides the roots, in a sandbox
  int64_t timeout_ms = 0;             ///< 0: none
  int64_t idle_timeout_ms = 0;
  int64_t grace_ms = 5000;
  uint64_t log_bytes = kTaskLogBytes;
  size_t result_bytes = size_t{256} << 10U;  ///< of each stream, in results
};
ProgramSettings program_settings(std::string_view executor);

struct TaskProgram {
  std::string name;  ///< in messages: "make"
  std::vector<std::string> words;
  std::string folder;                              ///< as the task says, relative to the executor's
  std::map<std::string, std::string> environment;  ///< of the task
  std::optional<std::string> input;                ///< nullopt: /dev/null
  int64_t timeout_ms = 0;                          ///< of the task itself; 0: it says none
};

struct TaskProgramEnd {
  std::optional<Outcome> refused;  ///< it was not started: by the policy, or without its sandbox
  ProgramEnd end;
  ProgramTerms terms;
  std::string stdout_ref;
  std::string stderr_ref;
  std::string metadata;  ///< JSON, or empty

  /// An outcome with the logs and metadata of this end; `refused` when there is one.
  Outcome with_logs(Outcome outcome) const;
};

TaskProgramEnd run_task_program(const TaskProgram& program, const ProgramSettings& settings,
                                const Work& work, const Policy& policy, const WorkEvents& events);

/// The effective limit of one attempt, in milliseconds: the least of what is left of it and what
/// the task, else the executor says; where none of them says anything, the policy for its kind.
/// 0: none.
int64_t attempt_timeout_ms(const Work& work, const Policy& policy, int64_t of_task,
                           int64_t of_executor);

/// The variables that a program gets: those of this process that policy or executor let through,
/// then the executor's and the task's own, then those that tell about the work (docs/executors.md).
std::vector<std::string> work_environment(const Work& work, const Policy& policy,
                                          const ProgramSettings& settings,
                                          const std::map<std::string, std::string>& of_task);

}  // namespace reprise
