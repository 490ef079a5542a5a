#include "tests/processes/script/child.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "tests/processes/script/harness.h"

namespace reprise::test {

namespace {

constexpr const char* kStatus = "STATUS ";
constexpr const char* kCrash = "crash:";

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string read_all(int fd) {
  std::string out;
  char buffer[4096];
  for (ssize_t size; (size = read(fd, buffer, sizeof buffer)) > 0;)
    out.append(buffer, static_cast<size_t>(size));
  return out;
}

}  // namespace

ChildResult run_in_child(const ChildScript& script) {
  std::vector<std::string> environment = {
      "REPRISE_CHILD_BODY=" + script.body, "REPRISE_CHILD_CPU=" + std::to_string(script.cpu_ms),
      "REPRISE_CHILD_HEAP=" + std::to_string(script.heap_bytes),
      "REPRISE_TEST_CACHE=" + script.cache_folder, script.environment};
  std::vector<char*> variables;
  variables.reserve(environment.size() + 1);
  for (std::string& entry : environment) variables.push_back(entry.data());
  variables.push_back(nullptr);
  std::string program = "/proc/self/exe", test_case = "script in a child";
  char* arguments[] = {program.data(), test_case.data(), nullptr};

  int ends[2];
  REQUIRE(pipe(ends) == 0);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  pid_t child = 0;
  REQUIRE(posix_spawn(&child, program.c_str(), &actions, nullptr, arguments, variables.data()) ==
          0);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  ChildResult result;
  result.output = read_all(ends[0]);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (size_t at = result.output.find(kStatus); at != std::string::npos) {
    result.status = result.output.substr(at + 7, result.output.find('\n', at) - at - 7);
  }
  return result;
}

// Only ever run by run_in_child. Leaves at once: a test report would only disturb.
TEST_CASE("script in a child", "[.]") {
  std::string body = variable("REPRISE_CHILD_BODY");
  if (body.starts_with(kCrash)) {
    int signal = std::stoi(body.substr(6));
    on_engine([signal] { std::raise(signal); });
    _exit(0);
  }
  bool whole = body.starts_with("module:");
  Script script(whole ? body.substr(7) : process_of(body));
  script.heap(std::stoull(variable("REPRISE_CHILD_HEAP")));
  int64_t cpu_ms = std::stoll(variable("REPRISE_CHILD_CPU"));
  on_engine([cpu_ms] { module_table().arm(cpu_ms); });
  std::string said;
  for (const std::string& line : script.start()) said += line + ";";
  if (script.status() == "OK") {
    if (std::string checked = script.check(); checked != "OK") said = checked;
  }
  std::printf("%s%s\n", kStatus, said.c_str());
  std::fflush(stdout);
  _exit(0);
}

}  // namespace reprise::test
