// Work behind a wall: bubblewrap (docs/policy.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/executors/executor.h"
#include "engine/executors/policy.h"
#include "engine/program.h"

namespace reprise {

/// What a sandboxed program may do.
struct SandboxPlan {
  bool needed = false;
  bool network = true;
  std::vector<std::string> writable;  ///< absolute folders
  std::vector<std::string> readable;  ///< absolute folders that lie where the sandbox has its own
};

/// From permission and policy. Nothing is writable for read; for full with roots these are, the
/// task's folder and `writable`; full without roots needs a sandbox for the network's sake only.
SandboxPlan plan_sandbox(Permission permission, const Policy& policy, const std::string& folder,
                         const std::string& task_dir, const std::vector<std::string>& writable);

/// bubblewrap's words, without the program's. `folder` is where the program begins.
std::vector<std::string> sandbox_words(const SandboxPlan& plan, const std::string& folder);

/// Wraps the program when its permission demands it. An outcome when it cannot be: PolicyDenied for
/// permission none, SandboxUnavailable when bubblewrap is missing or cannot start here. Never runs
/// anything unsandboxed that shall not be.
std::optional<Outcome> enter_sandbox(Program& program, const Work& work, const Policy& policy,
                                     const std::vector<std::string>& writable);

}  // namespace reprise
