#include "engine/agents/agent_work.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "engine/executors/match.h"
#include "journal/error.h"
#include "tests/engine/agents/agent_home.h"

namespace reprise::test {

namespace {

struct Fixture : AgentHome {
  Fixture() {
    config.executors = {{.name = "claude", .type = "command", .json = "{}", .origin = ""},
                        {.name = "fake", .type = "mock", .json = "{}", .origin = ""},
                        {.name = "gpt", .type = "openai", .json = "{}", .origin = ""},
                        {.name = "local", .type = "openai", .json = "{}", .origin = ""}};
    config.match = {{.kind = "agent", .task = "", .label = "", .agent = "", .executor = "fake"}};
    config.policy.permission = "full";
    work.home = home;
    work.kind = "agent";
    work.agent = "scout";
  }
  std::string chosen() const {
    const auto* executor = choose_executor(config, work);
    return executor == nullptr ? "" : executor->name;
  }
  nlohmann::json told(const std::string& definition) {
    work.definition = definition;
    return nlohmann::json::parse(with_agent(work, config.policy).definition);
  }

  Config config;
  Work work;
};

}  // namespace

TEST_CASE("an agent's runtime names the type of its executor, its configuration the one") {
  Fixture at;
  CHECK(at.chosen() == "fake");  // no such agent: the rules alone
  at.write("scout", "config.json", "{}");
  CHECK(at.chosen() == "gpt");
  at.write("scout", "config.json", R"({"executor": "local"})");
  CHECK(at.chosen() == "local");
  at.write("scout", "config.json", R"({"runtime": "command"})");
  CHECK(at.chosen() == "claude");
  at.write("scout", "config.json", R"({"runtime": "command", "executor": "local"})");
  CHECK(at.chosen().empty());
  at.write("scout", "config.json", R"({"executor": "fake"})");
  CHECK(at.chosen() == "fake");
}

TEST_CASE("a rule that names the agent goes before what the agent says, others behind") {
  Fixture at;
  at.write("scout", "config.json", "{}");
  at.config.match.push_back(
      {.kind = "", .task = "", .label = "", .agent = "sc*", .executor = "claude"});
  CHECK(at.chosen() == "claude");
  at.work.kind = "breakpoint";
  CHECK(at.chosen().empty());
}

TEST_CASE("an agent that cannot be read is chosen by the rules, and its work says what is wrong") {
  Fixture at;
  at.write("scout", "config.json", "{");
  CHECK(at.chosen() == "fake");
  CHECK_FALSE(complaint_of([&] { with_agent(at.work, at.config.policy); }).empty());
}

TEST_CASE("workers and heartbeats need their agent, other work may name whom it likes") {
  Fixture at;
  const auto complaint = [&] {
    return complaint_of([&] { with_agent(at.work, at.config.policy); });
  };
  at.write("scoot", "config.json", "{}");
  CHECK(complaint().empty());
  for (const char* task : {"channel.worker", "agents.heartbeat"}) {
    at.work.task = task;
    CHECK(complaint() ==
          "there is no agent \"scout\" in " + at.home + "/agents; did you mean scoot?");
  }
  at.work.agent = "";
  CHECK(complaint().empty());
  at.work.agent = "scout";
  at.write("scout", "config.json", "{}");
  CHECK(complaint().empty());
}

TEST_CASE("model, instructions and permission of an agent reach its work") {
  Fixture at;
  at.write("scout", "config.json",
           R"({"selectedModel": "small", "tools": {"permission": "read"}})");
  at.write("scout", "AGENTS.md", "Be brief.");
  auto task = at.told(R"({"agent": {"name": "scout", "prompt": "Look."}})");
  CHECK(task["agent"]["model"] == "small");
  CHECK(task["agent"]["instructions"] == "Be brief.");
  CHECK(task["agent"]["prompt"] == "Look.");
  CHECK(task["permission"] == "read");
}

TEST_CASE("what a task says itself stays, but never more permission than the agent has") {
  Fixture at;
  at.write("scout", "config.json",
           R"({"selectedModel": "small", "tools": {"permission": "read"}})");
  CHECK(at.told(R"({"agent": {"model": "large"}})")["agent"]["model"] == "large");
  CHECK(at.told(R"({"permission": "full"})")["permission"] == "read");
  CHECK(at.told(R"({"permission": "none"})")["permission"] == "none");
  CHECK(at.told(R"({"permission": "everything"})")["permission"] == "everything");
  at.config.policy.permission = "none";
  CHECK_FALSE(at.told("{}").contains("permission"));
}

}  // namespace reprise::test
