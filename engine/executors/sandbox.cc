// Whether bubblewrap can do it here is tried out with the very words that the program will get:
// what fails then is bubblewrap, not the program.
#include "engine/executors/sandbox.h"

#include <algorithm>

#include "engine/executors/outcome.h"
#include "engine/json_writer.h"
#include "engine/launch.h"

namespace reprise {

namespace {

constexpr int64_t kTrialMs = 10'000;

Outcome unavailable(const std::string& why) {
  return error_outcome("SandboxUnavailable",
                       "the work may run in a sandbox only, and there is none: " + why,
                       JsonWriter().text("rule", "permission").done(), true);
}

}  // namespace

SandboxPlan plan_sandbox(Permission permission, const Policy& policy, const std::string& folder,
                         const std::string& task_dir, const std::vector<std::string>& writable) {
  SandboxPlan plan;
  plan.network = policy.network;
  if (permission == Permission::kFull && policy.roots.empty()) {
    plan.needed = !policy.network;
    plan.writable = {"/"};
    return plan;
  }
  plan.needed = true;
  plan.readable = {folder, task_dir};
  if (permission == Permission::kRead) return plan;
  plan.writable = policy.roots;
  plan.writable.insert(plan.writable.end(), writable.begin(), writable.end());
  plan.writable.push_back(task_dir);
  return plan;
}

std::vector<std::string> sandbox_words(const SandboxPlan& plan, const std::string& folder) {
  const bool open = plan.writable == std::vector<std::string>{"/"};
  std::vector<std::string> words = {"--unshare-pid", "--die-with-parent"};
  const auto add = [&](std::initializer_list<std::string> more) {
    words.insert(words.end(), more);
  };
  if (!plan.network) add({"--unshare-net"});
  if (open) {
    add({"--dev-bind", "/", "/", "--proc", "/proc"});
  } else {
    add({"--cap-drop", "ALL", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs",
         "/tmp"});
    for (const auto& path : plan.readable) add({"--ro-bind-try", path, path});
    for (const auto& path : plan.writable) add({"--bind", path, path});
  }
  add({"--chdir", folder, "--"});
  return words;
}

std::optional<Outcome> enter_sandbox(Program& program, const Work& work, const Policy& policy,
                                     const std::vector<std::string>& writable) {
  const auto permission = permission_of(work.definition, policy);
  if (permission == Permission::kNone) {
    return denial_outcome({"permission", "permission none: such work may not run programs"});
  }
  const auto plan = plan_sandbox(permission, policy, program.folder,
                                 work.run_dir + "/tasks/" + work.effect, writable);
  if (!plan.needed) return std::nullopt;
  if (find_program("bwrap", program.environment).empty()) {
    return unavailable("bubblewrap (bwrap) is not installed");
  }
  std::vector<std::string> words = {"bwrap"};
  const auto options = sandbox_words(plan, program.folder);
  words.insert(words.end(), options.begin(), options.end());
  Program trial{.words = words, .environment = program.environment, .timeout_ms = kTrialMs};
  trial.words.emplace_back("true");
  const auto tried = run_program(
      trial, [](bool, std::string_view) {}, [] { return true; });
  if (tried.exit_code != 0 || tried.timed_out) {
    return unavailable("bubblewrap cannot start here: " + valid_text(tried.err.tail));
  }
  words.insert(words.end(), program.words.begin(), program.words.end());
  program.words = std::move(words);
  program.wrapped = true;
  return std::nullopt;
}

}  // namespace reprise
