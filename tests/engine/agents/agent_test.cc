#include "engine/agents/agent.h"

#include <catch2/catch.hpp>

#include "journal/error.h"
#include "tests/engine/agents/agent_home.h"

namespace reprise::test {

TEST_CASE("an agent's configuration has defaults, and may have comments") {
  const AgentHome at;
  at.write("scout", "config.json", "{\n  // as it is\n}");
  const auto agent = load_agent(at.home, "scout");
  REQUIRE(agent);
  CHECK(agent->runtime == "native");
  CHECK(agent->channel == "agent-scout");
  CHECK(agent->permission == "full");
  CHECK_FALSE(agent->heartbeat);
  CHECK(agent->interval_ms == 300'000);
  CHECK(agent->timeout_ms == 1'800'000);
  CHECK_FALSE(load_agent(at.home, "nobody"));
  CHECK_FALSE(load_agent(at.home, "../scout"));
}

TEST_CASE("what is wrong with a configuration is said with file, line and key") {
  const AgentHome at;
  const auto complaint = [&](const std::string& text) {
    at.write("scout", "config.json", text);
    return complaint_of([&] { load_agent(at.home, "scout"); });
  };
  const auto path = agent_folder(at.home, "scout") + "/config.json";
  CHECK(complaint("{\n  \"hartbeat\": {}\n}").starts_with(path + ":2"));
  CHECK(complaint(R"({"hartbeat": {}})").find("heartbeat") != std::string::npos);
  CHECK(complaint(R"({"heartbeat": {"intervalMinutes": 0}})").find("/heartbeat/intervalMinutes") !=
        std::string::npos);
  CHECK(complaint(R"({"heartbeat": {"enabled": "yes"}})").find("/heartbeat/enabled") !=
        std::string::npos);
  CHECK(complaint(R"({"selectedModel": "--yolo"})").find("/selectedModel") != std::string::npos);
  CHECK(complaint(R"({"runtime": "acp"})").find("Agent Client Protocol") != std::string::npos);
  CHECK_FALSE(complaint("{").empty());
  CHECK(complaint("{}").empty());
}

TEST_CASE("instructions are what the files say, in their order, without those that say nothing") {
  const AgentHome at;
  at.write("scout", "config.json", "{}");
  at.write("scout", "USER.md", "The user is Anna.\n");
  at.write("scout", "AGENTS.md", "Be brief.\n\n");
  at.write("scout", "SOUL.md", "# Soul\n\n<!-- later -->\n");
  CHECK(agent_instructions(at.home, "scout") == "Be brief.\n\nThe user is Anna.");
}

TEST_CASE("headings, comments and white space are a blank file") {
  CHECK(is_blank(""));
  CHECK(is_blank("# Heartbeat\n\n  ## Tasks\n<!-- look\naround -->\n\t\r\n"));
  CHECK(is_blank("<!-- never closed\nlook around"));
  CHECK_FALSE(is_blank("# Heartbeat\nlook around"));
  CHECK_FALSE(is_blank("<!-- a --> look <!-- b -->"));
}

TEST_CASE("a file that is too large or no UTF-8 is refused, not cut") {
  const AgentHome at;
  at.write("scout", "HEARTBEAT.md", std::string(kLargestAgentFile + 1, 'x'));
  CHECK(complaint_of([&] { heartbeat_prompt(at.home, "scout"); }).find("64 KiB") !=
        std::string::npos);
  at.write("scout", "HEARTBEAT.md", std::string(size_t{10} << 20U, 'x'));
  CHECK(complaint_of([&] { heartbeat_prompt(at.home, "scout"); }).find("1 MiB") !=
        std::string::npos);
  at.write("scout", "HEARTBEAT.md", "look \xff around");
  CHECK(complaint_of([&] { heartbeat_prompt(at.home, "scout"); }).find("UTF-8") !=
        std::string::npos);
  at.write("scout", "HEARTBEAT.md", "Look around.\n");
  CHECK(heartbeat_prompt(at.home, "scout") == "Look around.\n");
}

TEST_CASE("an agent is made as a whole, and never over another one") {
  const AgentHome at;
  CHECK(create_agent(at.home, "scout", {{"config.json", "{}"}, {"AGENTS.md", "Be brief."}}));
  CHECK_FALSE(create_agent(at.home, "scout", {{"config.json", R"({"runtime": "command"})"}}));
  CHECK(load_agent(at.home, "scout")->runtime == "native");
  at.write(".new-half", "config.json", "{}");
  at.write("empty", "AGENTS.md", "");
  CHECK(list_agents(at.home) == std::vector<std::string>{"scout"});
  write_agent_config(at.home, "scout", R"({"runtime": "command"})");
  CHECK(load_agent(at.home, "scout")->runtime == "command");
}

TEST_CASE("an agent that is known is read again, and judged again when it says something else") {
  const AgentHome at;
  KnownAgents known;
  CHECK_FALSE(known.load(at.home, "scout"));
  at.write("scout", "config.json", R"({"runtime": "command"})");
  for (int time = 0; time < 2; ++time) CHECK(known.load(at.home, "scout")->runtime == "command");
  at.write("scout", "config.json", R"({"runtime": "comm_nd"})");
  for (int time = 0; time < 2; ++time) {
    CHECK(complaint_of([&] { known.load(at.home, "scout"); }).find("/runtime") !=
          std::string::npos);
  }
  at.write("scout", "config.json", "");
  CHECK_FALSE(complaint_of([&] { known.load(at.home, "scout"); }).empty());
  at.write("scout", "config.json", R"({"runtime": "native"})");
  CHECK(known.load(at.home, "scout")->runtime == "native");
  std::filesystem::remove_all(agent_folder(at.home, "scout"));
  CHECK_FALSE(known.load(at.home, "scout"));
}

}  // namespace reprise::test
