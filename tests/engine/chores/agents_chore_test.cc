#include "engine/heartbeat/agents_chore.h"

#include "tests/engine/chores/chore_home.h"

namespace reprise::test {

namespace {

const std::string kStart = std::to_string(kStartMs);

struct AgentsHome : ChoreHome {
  void write(const std::string& name, const std::string& text) {
    const auto dir = agent_folder(workspace.home_path(), "scout");
    std::filesystem::create_directories(dir);
    std::ofstream(dir + "/" + name, std::ios::binary) << text;
  }
  /// An agent that looks around every five minutes.
  void enable() {
    write("config.json", R"({"heartbeat": {"enabled": true}, "channel": "ops"})");
    write("HEARTBEAT.md", "Look around.\n");
  }
  Json status() { return asked("agents", {{"ask", "agent"}, {"id", "scout"}}); }
  std::string message() {
    const auto messages = asked("ops", {{"ask", "messages"}});
    return messages.empty() ? "" : messages.back()["content"].get<std::string>();
  }

  std::unique_ptr<Chore> chore = make_agents_chore();
};

}  // namespace

TEST_CASE("an agent is asked once in each of its intervals, and nothing is recorded in between") {
  AgentsHome home;
  CHECK(home.due(*home.chore).empty());
  home.enable();
  CHECK(home.due(*home.chore) == std::vector<std::string>{"scout@" + kStart});
  CHECK(home.perform(*home.chore) == 1);
  home.post("agents", "beat:scout:1", "HEARTBEAT_OK");
  const auto records = home.records("agents");
  home.folder.world.clock.advance(4 * kMinuteMs);
  CHECK(home.perform(*home.chore) == 0);
  home.perform(*home.chore, "scout@" + kStart);  // as a second heartbeat would
  CHECK(home.records("agents") == records);
  home.folder.world.clock.advance(kMinuteMs);
  CHECK(home.perform(*home.chore) == 1);
  CHECK(home.status()["runs"] == 2);
}

TEST_CASE("one that is disabled, or whose file is blank, is left alone, and makes no run") {
  AgentsHome home;
  home.write("config.json", "{}");
  home.write("HEARTBEAT.md", "Look around.\n");
  CHECK(home.perform(*home.chore) == 0);
  home.enable();
  home.write("HEARTBEAT.md", "# Heartbeat\n<!-- nothing yet -->\n");
  CHECK(home.perform(*home.chore) == 0);
  CHECK_FALSE(home.folder.world.runs->stat("agents"));
}

TEST_CASE("what an agent says comes to its channel, which is made when it is missing") {
  AgentsHome home;
  home.enable();
  home.perform(*home.chore);
  home.post("agents", "beat:scout:1", {{"text", "The disk is full."}});
  home.folder.iterate("ops");
  CHECK(home.message() == "The disk is full.");
  CHECK(home.status()["lastResult"] == "reported");
  CHECK(home.asked("ops", {{"ask", "queue"}}).empty());
}

TEST_CASE("windows that come while a heartbeat runs are skipped, and that is recorded once") {
  AgentsHome home;
  home.enable();
  home.perform(*home.chore);
  home.folder.world.clock.advance(5 * kMinuteMs);
  CHECK(home.perform(*home.chore) == 1);
  CHECK(home.status()["skipped"] == 1);
  const auto records = home.records("agents");
  home.folder.world.clock.advance(5 * kMinuteMs);
  CHECK(home.perform(*home.chore) == 0);
  CHECK(home.records("agents") == records);
}

TEST_CASE("a heartbeat that nobody performs in time has failed, and the next one comes") {
  AgentsHome home;
  home.enable();
  home.perform(*home.chore);
  home.folder.world.clock.advance(31 * kMinuteMs);
  home.folder.iterate("agents");
  CHECK(home.status()["lastResult"] == "failed");
  CHECK(home.perform(*home.chore) == 1);
  CHECK(home.status()["runs"] == 2);
}

TEST_CASE("a clock that goes back asks nobody twice") {
  AgentsHome home;
  home.enable();
  home.perform(*home.chore);
  home.post("agents", "beat:scout:1", "HEARTBEAT_OK");
  home.folder.world.clock.advance(-10 * kMinuteMs);
  CHECK(home.perform(*home.chore) == 0);
}

TEST_CASE("an agent that cannot be read is an error of its own") {
  AgentsHome home;
  home.enable();
  home.write("config.json", R"({"heartbeat": {"enabled": 1}})");
  CHECK(code_of([&] { home.perform(*home.chore); }) == "CONFIG_INVALID");
  home.enable();
  home.write("HEARTBEAT.md", "look \xff");
  CHECK(code_of([&] { home.perform(*home.chore); }) == "CONFIG_INVALID");
}

TEST_CASE("an agent that cannot be read for a moment gets no heartbeat that it does not have") {
  AgentsHome home;
  home.write("config.json", "{");
  home.write("HEARTBEAT.md", "Look around.\n");
  const auto due = home.due(*home.chore);
  REQUIRE(due.size() == 1);
  home.write("config.json", "{}");
  home.perform(*home.chore, due.front());
  CHECK(home.workspace.runs().open_dir("agents") == nullptr);
}

}  // namespace reprise::test
