#include "engine/executors/policy.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "engine/executors/sandbox.h"
#include "engine/executors/task_program.h"
#include "tests/journal/temp_dir.h"

using namespace reprise;

namespace {

std::string rule_of(const Policy& policy, const std::vector<std::string>& words,
                    const std::string& folder = "/work") {
  const auto denial = find_denial(policy, words, folder);
  return denial ? denial->rule : "";
}

using WordList = std::vector<std::string>;

std::string wall(const SandboxPlan& plan) {
  std::string text;
  for (const auto& word : sandbox_words(plan, "/w")) text += (text.empty() ? "" : " ") + word;
  return text;
}

}  // namespace

TEST_CASE("Work runs below the roots only, links followed") {
  const TempDir temp;
  const auto root = std::filesystem::canonical(temp.path()).string();
  std::filesystem::create_directories(root + "/in/below");
  std::filesystem::create_directory(root + "/inner");
  std::filesystem::create_directory_symlink(root + "/in", root + "/link");
  const Policy policy{.roots = {root + "/link"}};
  CHECK(rule_of(policy, {"true"}, root + "/in").empty());
  CHECK(rule_of(policy, {"true"}, root + "/in/below").empty());
  CHECK(rule_of(policy, {"true"}, root + "/inner") == "roots");
  CHECK(rule_of(policy, {"true"}, root) == "roots");
  CHECK(rule_of({}, {"true"}, "/").empty());
}

TEST_CASE("Denied programs are named by name, by path, or with what follows them") {
  const Policy policy{.denied_programs = {"rm", "/opt/tool", "git push", "mkfs*"}};
  CHECK(rule_of(policy, {"rm", "x"}) == "deniedPrograms");
  CHECK(rule_of(policy, {"/bin/rm", "x"}) == "deniedPrograms");
  CHECK(rule_of(policy, {"bash", "-c", "cd y && rm x"}) == "deniedPrograms");
  CHECK(rule_of(policy, {"/opt/tool"}) == "deniedPrograms");
  CHECK(rule_of(policy, {"tool"}).empty());
  CHECK(rule_of(policy, {"git", "push", "origin"}) == "deniedPrograms");
  CHECK(rule_of(policy, {"git", "-C", ".", "--no-pager", "push"}) == "deniedPrograms");
  CHECK(rule_of(policy, {"git", "-C", "."}).empty());
  CHECK(rule_of(policy, {"git", "commit", "-m", "push"}).empty());
  CHECK(rule_of(policy, {"git", "pull"}).empty());
  CHECK(rule_of(policy, {"mkfs.ext4", "/dev/sda"}) == "deniedPrograms");
  CHECK(rule_of(policy, {"echo", "rm"}).empty());
}

TEST_CASE("A denial is a final error that names the rule") {
  const auto outcome = denial_outcome({"roots", "the policy's roots do not hold /x"});
  CHECK_FALSE(outcome.ok);
  CHECK(outcome.value == R"({"name":"PolicyDenied","message":"the policy's roots do not hold /x",)"
                         R"("data":{"rule":"roots"},"retryable":false})");
}

TEST_CASE("Variables reach the work by name") {
  const Policy own{.environment = {"ONLY", "LC_*"}};
  CHECK(passes(own, {}, "ONLY"));
  CHECK(passes(own, {}, "LC_ALL"));
  CHECK_FALSE(passes(own, {}, "PATH"));
  CHECK(passes(own, {"AWS_*"}, "AWS_PROFILE"));
  CHECK_FALSE(passes({}, {}, "PATH"));
}

TEST_CASE("A task's own variables are set, but for those that tell about the work") {
  Work work;
  work.run = "r";
  work.effect = "t1";
  ProgramSettings settings;
  settings.environment = {{"A", "executor"}, {"B", "executor"}};
  const auto found = work_environment(work, {.environment = {"NONE_OF_THESE"}}, settings,
                                      {{"B", "task"}, {"REPRISE_RUN", "other"}});
  const auto has = [&](const char* text) {
    return std::find(found.begin(), found.end(), text) != found.end();
  };
  CHECK(has("A=executor"));
  CHECK(has("B=task"));
  CHECK(has("REPRISE_RUN=r"));
  CHECK(has("REPRISE_EFFECT=t1"));
  CHECK_FALSE(has("REPRISE_RUN=other"));
}

TEST_CASE("Permission is the task's word, else the policy's, else full") {
  CHECK(permission_of("{}", {}) == Permission::kFull);
  CHECK(permission_of("{}", {.permission = "read"}) == Permission::kRead);
  CHECK(permission_of(R"({"permission":"none"})", {.permission = "read"}) == Permission::kNone);
  CHECK(permission_of(R"({"execution":{"permissions":"read"}})", {}) == Permission::kRead);
  for (const char* task : {R"({"permission":"readonly"})", R"({"permission":["read"]})",
                           R"({"execution":{"permissions":"READ"}})"}) {
    CHECK(permission_of(task, {.permission = "full"}) == Permission::kUnknown);
  }
}

TEST_CASE("Each permission has its sandbox") {
  const Policy open{};
  CHECK_FALSE(plan_sandbox(Permission::kFull, open, "/w", "/r/tasks/t1", {}).needed);

  const Policy offline{.network = false};
  const auto no_network = plan_sandbox(Permission::kFull, offline, "/w", "/r/tasks/t1", {});
  CHECK(no_network.needed);
  CHECK(wall(no_network) ==
        "--unshare-pid --die-with-parent --unshare-net --dev-bind / / --proc /proc --chdir /w --");

  const auto read = plan_sandbox(Permission::kRead, open, "/w", "/tmp/r/tasks/t1", {"/cache"});
  CHECK(read.needed);
  CHECK(read.writable.empty());
  CHECK(wall(read) ==
        "--unshare-pid --die-with-parent --cap-drop ALL --ro-bind / / --dev /dev --proc /proc "
        "--tmpfs /tmp --ro-bind-try /tmp/r/tasks/t1 /tmp/r/tasks/t1 --chdir /w --");

  const Policy rooted{.roots = {"/w"}};
  const auto write = plan_sandbox(Permission::kFull, rooted, "/w", "/r/tasks/t1", {"/cache"});
  CHECK(write.needed);
  CHECK(write.writable == WordList{"/w", "/cache", "/r/tasks/t1"});

  const Policy anywhere{.roots = {"/"}};
  const auto all = plan_sandbox(Permission::kFull, anywhere, "/w", "/r/tasks/t1", {});
  CHECK(wall(all) == "--unshare-pid --die-with-parent --dev-bind / / --proc /proc --chdir /w --");
}

TEST_CASE("The limit of an attempt is the least of what is left and what is said") {
  Work work;
  work.kind = "shell";
  const Policy policy{.timeout_ms = {{"shell", 1000}}};
  CHECK(attempt_timeout_ms(work, {}, 0, 0) == 0);
  CHECK(attempt_timeout_ms(work, policy, 0, 0) == 1000);
  CHECK(attempt_timeout_ms(work, policy, 0, 2000) == 2000);
  CHECK(attempt_timeout_ms(work, policy, 3000, 2000) == 3000);
  work.timeout_ms = 500;
  CHECK(attempt_timeout_ms(work, policy, 3000, 2000) == 500);
  CHECK(attempt_timeout_ms(work, policy, 200, 0) == 200);
  work.timeout_ms = 5000;  // the effect's own deadline: the policy is for those without
  CHECK(attempt_timeout_ms(work, policy, 0, 0) == 5000);
  work.timeout_ms = 500;
  CHECK(attempt_timeout_ms(work, {}, 0, 0) == 500);
}
