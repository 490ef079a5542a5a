#include "processes/agents/agents.h"

#include <catch2/catch.hpp>
#include <random>

#include "tests/processes/kit/test_process.h"

namespace reprise::agents {

namespace {

using Json = nlohmann::json;

constexpr int64_t kInterval = 300'000;

struct TestAgents : kit::TestProcess {
  TestAgents() : TestProcess(agents_process()) {}

  Json beat(int64_t window, const Json& more = Json::object()) const {
    Json value = {{"agentId", "scout"},
                  {"window", window * kInterval},
                  {"cause", "due"},
                  {"prompt", "Look around."},
                  {"channel", "ops"}};
    value.update(more);
    return value;
  }
  std::string due(int64_t window) { return code("agent.beat", beat(window)); }
  Json status() const { return ask({{"ask", "agent"}, {"id", "scout"}}); }
};

}  // namespace

TEST_CASE("a heartbeat asks the agent, and HEARTBEAT_OK alone is success") {
  TestAgents agents;
  CHECK(
      agents.code("agent.beat", agents.beat(7, {{"bulletin", "All quiet."}, {"timeoutMs", 60000}}))
          .empty());
  const auto& asked = agents.asked("beat:scout:1");
  CHECK(asked.kind == "agent");
  CHECK(asked.options == Json{{"timeoutMs", 60000}});
  CHECK(asked.definition["agent"]["name"] == "scout");
  const std::string prompt = asked.definition["agent"]["prompt"];
  CHECK(prompt.find("Look around.\n\n## Bulletin\n\nAll quiet.") != std::string::npos);
  CHECK(agents.status()["state"] == "running");
  agents.now_ms += 1000;
  agents.resolve("beat:scout:1", {{"text", " HEARTBEAT_OK\n"}});
  CHECK(agents.news() == "agent.heartbeat.started agent.heartbeat.ok");
  CHECK(agents.open().empty());
  const auto status = agents.status();
  CHECK(status["state"] == "idle");
  CHECK(status["lastResult"] == "ok");
  CHECK(status["lastSuccessAt"] == agents.now_ms);
  CHECK_FALSE(status.contains("lastFailureAt"));
}

TEST_CASE("anything else is sent to the agent's channel, once") {
  TestAgents agents;
  agents.due(7);
  agents.resolve("beat:scout:1", "HEARTBEAT_OK, but the disk is full");
  CHECK(agents.news() == "agent.heartbeat.started agent.heartbeat.reported");
  CHECK(agents.asked("tell:scout:1").inputs ==
        Json{{"run", "ops"},
             {"name", "channel.message"},
             {"value",
              {{"msgId", "heartbeat-scout-1"},
               {"author", {{"id", "agent:scout"}, {"name", "scout"}}},
               {"content", "HEARTBEAT_OK, but the disk is full"}}}});
  agents.resolve("tell:scout:1", {{"runId", "ops"}});
  CHECK(agents.open().empty());
  CHECK(agents.status()["lastResult"] == "reported");
}

TEST_CASE("a message that its channel refuses is said to be undelivered") {
  TestAgents agents;
  agents.due(7);
  agents.resolve("beat:scout:1", "look here");
  agents.fail("tell:scout:1", {{"name", "RunSignalRefused"}, {"message", "there is no run ops"}});
  CHECK(agents.status()["reason"] == "there is no run ops");
}

TEST_CASE("failures are counted, and only the first of a row is told") {
  TestAgents agents;
  for (int i = 1; i <= 3; ++i) {
    agents.due(i);
    agents.fail("beat:scout:" + std::to_string(i), {{"name", "TimeoutError"}, {"message", "slow"}});
  }
  CHECK(agents.open().size() == 1);
  CHECK(agents.asked("tell:scout:1").inputs["value"]["content"] ==
        "The heartbeat of scout failed: slow");
  auto status = agents.status();
  CHECK(status["failed"] == 3);
  CHECK(status["consecutiveFailures"] == 3);
  CHECK(status["reason"] == "slow");
  agents.due(4);
  agents.resolve("beat:scout:4", "HEARTBEAT_OK");
  CHECK(agents.status()["consecutiveFailures"] == 0);
  agents.due(5);
  agents.resolve("beat:scout:5", "  ");
  CHECK(agents.status()["reason"] == "it answered nothing");
  CHECK(agents.has("tell:scout:5"));
}

TEST_CASE("an endpoint that answers nothing, or is cut off, is not taken for whole") {
  TestAgents agents;
  agents.due(1);
  agents.resolve("beat:scout:1", {{"text", ""}, {"finishReason", "stop"}});
  CHECK(agents.status()["reason"] == "it answered nothing");
  agents.due(2);
  agents.resolve("beat:scout:2", {{"text", ""}, {"finishReason", "content_filter"}});
  CHECK(agents.status()["reason"] == "it answered nothing: a content filter stopped the model");
  agents.due(3);
  agents.resolve("beat:scout:3", {{"text", "The disk is"}, {"finishReason", "length"}});
  CHECK(agents.asked("tell:scout:3").inputs["value"]["content"] ==
        "[Cut off: the model's token limit was reached]\nThe disk is");
  agents.due(4);
  agents.resolve("beat:scout:4", {{"text", "HEARTBEAT_OK"}, {"finishReason", "length"}});
  CHECK(agents.status()["lastResult"] == "ok");
  agents.due(5);
  agents.resolve("beat:scout:5", {{"disks", 2}});
  CHECK(agents.asked("tell:scout:5").inputs["value"]["content"] == "{\"disks\":2}");
}

TEST_CASE("a window is one occurrence, however often it is told") {
  TestAgents agents;
  agents.due(7);
  agents.resolve("beat:scout:1", "HEARTBEAT_OK");
  agents.news();
  CHECK(agents.due(7).empty());
  CHECK(agents.due(6).empty());
  CHECK(agents.news().empty());
  CHECK(agents.status()["runs"] == 1);
}

TEST_CASE("a window that comes while a heartbeat runs is skipped, and that is told once") {
  TestAgents agents;
  agents.due(7);
  agents.due(8);
  agents.due(9);
  agents.due(10);
  CHECK(agents.news() == "agent.heartbeat.started agent.heartbeat.skipped");
  CHECK(agents.open().size() == 1);
  agents.resolve("beat:scout:1", "HEARTBEAT_OK");
  CHECK(agents.due(10).empty());
  CHECK(agents.status()["runs"] == 2);
  CHECK(agents.status()["skipped"] == 1);
}

TEST_CASE("one that is asked for by hand does not wait for its window, but for the one that runs") {
  TestAgents agents;
  agents.due(7);
  const auto now = agents.beat(7, {{"cause", "now"}});
  CHECK(agents.code("agent.beat", now) == "HEARTBEAT_RUNNING");
  agents.resolve("beat:scout:1", "HEARTBEAT_OK");
  CHECK(agents.code("agent.beat", now).empty());
  CHECK(agents.has("beat:scout:2"));
}

TEST_CASE("agents do not wait for each other") {
  TestAgents agents;
  agents.due(7);
  CHECK(agents.code("agent.beat", agents.beat(7, {{"agentId", "writer"}})).empty());
  CHECK(agents.open().size() == 2);
  CHECK(agents.ask({{"ask", "agents"}}).size() == 2);
}

TEST_CASE("what is no heartbeat is refused, and does no harm when it is recorded") {
  TestAgents agents;
  const std::vector<Json> wrong = {nullptr,
                                   {{"agentId", "scout"}},
                                   agents.beat(7, {{"window", "x"}}),
                                   agents.beat(7, {{"agentId", "a:b"}}),
                                   agents.beat(7, {{"cause", "whim"}}),
                                   agents.beat(7, {{"prompt", std::string(70'000, 'x')}})};
  for (const auto& value : wrong) {
    CHECK(agents.code("agent.beat", value) == "INVALID_SIGNAL");
    agents.force_signal("agent.beat", value);
  }
  CHECK(agents.code("agent.sing", {}) == "INVALID_SIGNAL");
  CHECK(agents.open().empty());
  CHECK(agents.ask({{"ask", "agents"}}).empty());
  agents.cancel_run("enough");
  CHECK(agents.ended());
}

TEST_CASE("whatever comes in whatever order, an agent has one heartbeat at a time") {
  for (uint32_t seed = 1; seed <= 10; ++seed) {
    INFO("seed " << seed);
    std::minstd_rand random(seed);
    TestAgents agents;
    int64_t window = 1;
    for (int i = 0; i < 80; ++i) {
      if (random() % 2 == 0) window += static_cast<int64_t>(random() % 3);
      const auto* cause = random() % 4 == 0 ? "now" : "due";
      agents.signal("agent.beat", agents.beat(window, {{"cause", cause}}));
      size_t beats = 0;
      for (const auto& [effect, asked] : agents.open())
        beats += asked.key.starts_with("beat:") ? 1 : 0;
      CHECK(beats <= 1);
      if (random() % 2 == 0 || agents.open().empty()) continue;
      const auto effect = agents.open().begin()->first;
      if (random() % 3 == 0) {
        agents.fail(effect, {{"message", "no"}});
      } else {
        agents.resolve(effect, random() % 2 == 0 ? "HEARTBEAT_OK" : "news");
      }
    }
    const auto status = agents.status();
    const auto ended = status["ok"].get<int>() + status["reported"].get<int>() +
                       status["failed"].get<int>() + (status["state"] == "running" ? 1 : 0);
    CHECK(status["runs"] == ended);
  }
}

}  // namespace reprise::agents
