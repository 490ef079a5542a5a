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
/// The sandbox has one that is empty: what lies there outside is bound into it.
constexpr std::string_view kOwnTmp = "/tmp/";

Outcome unavailable(const std::string& why) {
  return error_outcome("SandboxUnavailable",
                       "the work may run in a sandbox only, and there is none: " + why,
                       JsonWriter().text("rule", "permission").done(), true);
}

/// They are set behind the wall.
void take_loader_variables(std::vector<std::string>& environment, std::vector<std::string>& words) {
  const auto is_loaders = [](const std::string& variable) {
    return variable.starts_with("LD_") || variable.starts_with("GLIBC_TUNABLES=");
  };
  for (const auto& variable : environment) {
    if (!is_loaders(variable)) continue;
    const auto equals = variable.find('=');
    words.insert(words.end(),
                 {"--setenv", variable.substr(0, equals), variable.substr(equals + 1)});
  }
  std::erase_if(environment, is_loaders);
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
  for (const auto& path : {folder, task_dir}) {
    if (path.starts_with(kOwnTmp)) plan.readable.push_back(path);
  }
  if (permission == Permission::kRead) return plan;
  for (const auto* paths : {&policy.roots, &writable}) {
    for (const auto& path : *paths) plan.writable.push_back(resolved_path(path));
  }
  plan.writable.push_back(task_dir);
  return plan;
}

std::vector<std::string> sandbox_words(const SandboxPlan& plan, const std::string& folder) {
  const bool open = std::ranges::find(plan.writable, "/") != plan.writable.end();
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
  if (permission == Permission::kUnknown) {
    return denial_outcome({"permission",
                           "the task's permission is neither none, read nor full; work that asks "
                           "for something else is not run"});
  }
  const auto plan = plan_sandbox(permission, policy, program.folder,
                                 resolved_path(work.run_dir) + "/tasks/" + work.effect, writable);
  if (!plan.needed) return std::nullopt;
  // The task has a say in the program's variables: neither its PATH nor what the loader obeys may
  // decide what is run on this side of the wall.
  const auto own = own_environment();
  const auto bubblewrap = find_program("bwrap", own);
  if (bubblewrap.empty()) return unavailable("bubblewrap (bwrap) is not installed");
  std::vector<std::string> words = {bubblewrap};
  take_loader_variables(program.environment, words);
  const auto options = sandbox_words(plan, program.folder);
  words.insert(words.end(), options.begin(), options.end());
  Program trial{.words = words, .environment = program.environment, .timeout_ms = kTrialMs};
  trial.words.push_back(find_program("true", own));
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
