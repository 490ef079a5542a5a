#include "engine/executors/match.h"

#include <catch2/catch.hpp>

using namespace reprise;

namespace {

std::string chosen(const Config& config, const Work& work) {
  const auto* executor = choose_executor(config, work);
  return executor == nullptr ? "" : executor->name;
}

Work matched_work(const std::string& kind, const std::string& task = "",
                  const std::string& agent = "") {
  Work work;
  work.kind = kind;
  work.task = task;
  work.agent = agent;
  return work;
}

}  // namespace

TEST_CASE("A pattern fits whole words, and a star any characters") {
  CHECK(fits("shell", "shell"));
  CHECK_FALSE(fits("shell", "shells"));
  CHECK(fits("*", ""));
  CHECK(fits("*", "anything"));
  CHECK(fits("docs*", "docs"));
  CHECK(fits("*-review", "code-review"));
  CHECK(fits("a*b*c", "a--b--b--c"));
  CHECK_FALSE(fits("a*b*c", "a--c--b"));
  CHECK_FALSE(fits("ab*ba", "aba"));
  CHECK(fits("**", "x"));
  CHECK_FALSE(fits("", "x"));
}

TEST_CASE("The first rule that fits names the executor") {
  Config config;
  for (const char* name : {"shell", "claude", "mock"}) {
    config.executors.push_back({.name = name, .type = "shell", .json = "{}", .origin = ""});
  }
  config.match = {{.kind = "shell", .task = "deploy*", .executor = "gone"},
                  {.kind = "shell", .task = "lint", .executor = "mock"},
                  {.kind = "shell", .executor = "shell"},
                  {.kind = "agent", .agent = "re*", .executor = "claude"},
                  {.executor = "mock"}};
  CHECK(chosen(config, matched_work("shell", "lint")) == "mock");
  CHECK(chosen(config, matched_work("shell", "build")) == "shell");
  CHECK(chosen(config, matched_work("shell", "deploy-it")) == "shell");
  CHECK(chosen(config, matched_work("agent", "x", "reviewer")) == "claude");
  CHECK(chosen(config, matched_work("agent", "x", "writer")) == "mock");
  CHECK(chosen({}, matched_work("shell")).empty());
}

TEST_CASE("No rule gives an executor what people, time and runs answer") {
  Config config;
  config.executors.push_back({.name = "all", .type = "mock", .json = "{}", .origin = ""});
  config.match = {{.executor = "all"}};
  for (const char* kind : {"breakpoint", "sleep", "run"})
    CHECK(chosen(config, matched_work(kind)).empty());
  CHECK(chosen(config, matched_work("agent")) == "all");
}

TEST_CASE("A task names its agent") {
  CHECK(agent_name(R"({"agent":{"name":"reviewer"}})") == "reviewer");
  CHECK(agent_name(R"({"skill":{"name":"pdf"}})") == "pdf");
  CHECK(agent_name("{}").empty());
  CHECK(agent_name("").empty());
}
