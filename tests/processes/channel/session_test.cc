// The agent's session: what changes it, what ends it, and what a prompt carries beside it.
#include <catch2/catch.hpp>

#include "tests/processes/channel/harness.h"

namespace reprise::channel {
namespace {

Json reply(const std::string& text, const std::string& session) {
  return {{"text", text}, {"sessionId", session}};
}

const Json kTooLong = {{"name", "too_long"}, {"message", "the prompt is too long"}};

/// A channel whose session is s1, after one message.
void open_session(TestChannel& channel) {
  channel.say("m1", "hello");
  channel.resolve(channel.asked("reply:r1").effect, reply("hi", "s1"));
}

TEST_CASE("with a session the prompt carries what the session does not hold") {
  TestChannel channel;
  open_session(channel);
  channel.say("c1", "by the way", {{"flags", {{"dm", false}}}});
  channel.say("m2", "again");
  const auto inputs = channel.asked("reply:r2").inputs;
  CHECK(inputs.at("sessionId") == "s1");
  CHECK_FALSE(inputs.contains("fork"));
  REQUIRE(inputs.at("messages").size() == 2);
  CHECK(inputs.at("messages").at(0).at("content") == "by the way");
  CHECK(inputs.at("messages").at(1).at("content") == "again");
}

TEST_CASE("an empty session id keeps the session") {
  TestChannel channel;
  open_session(channel);
  channel.say("m2", "again");
  channel.resolve(channel.asked("reply:r2").effect, reply("hi", ""));
  channel.say("m3", "and again");
  CHECK(channel.asked("reply:r3").inputs.at("sessionId") == "s1");
  CHECK(channel.events("session.updated").size() == 1);
}

TEST_CASE("what is not answered in the session is in the next prompt") {
  TestChannel channel;
  open_session(channel);
  channel.say("m2", "lost");
  channel.fail(channel.asked("reply:r2").effect, {{"name", "TimeoutError"}});
  channel.say("m3", "again");
  const auto messages = channel.asked("reply:r3").inputs.at("messages");
  REQUIRE(messages.size() == 3);
  CHECK(messages.at(0).at("content") == "lost");
  CHECK(messages.at(1).at("role") == "system");
}

TEST_CASE("a thread forks the session that its parent had, once, whatever the parent does then") {
  TestChannel channel({{"parent", "general"}, {"forkFrom", "p1"}});
  channel.say("m1", "hello");
  CHECK(channel.asked("reply:r1").inputs.at("fork") == true);
  CHECK(channel.asked("reply:r1").inputs.at("sessionId") == "p1");
  channel.fail(channel.asked("reply:r1").effect, {{"name", "TimeoutError"}});
  channel.say("m2", "again");
  CHECK(channel.asked("reply:r2").inputs.at("fork") == true);
  channel.resolve(channel.asked("reply:r2").effect, reply("hi", "t1"));
  channel.say("m3", "and again");
  CHECK_FALSE(channel.asked("reply:r3").inputs.contains("fork"));
  CHECK(channel.asked("reply:r3").inputs.at("sessionId") == "t1");
}

TEST_CASE("a session is closed by command, and not while a run uses it") {
  TestChannel channel;
  open_session(channel);
  channel.say("m2", "again");
  CHECK(channel.signal("channel.close", Json::object())->code == "SESSION_BUSY");
  channel.resolve(channel.asked("reply:r2").effect, reply("hi", "s1"));
  CHECK_FALSE(channel.signal("channel.close", Json::object()));
  channel.say("m3", "and again");
  CHECK_FALSE(channel.asked("reply:r3").inputs.contains("sessionId"));
  CHECK(channel.asked("reply:r3").inputs.at("messages").size() == 5);
}

constexpr int64_t kMinute = 60'000;
Json closing_after_30_minutes() {
  return {
      {"settings", {{"sessions", {{"autoCloseEnabled", true}, {"autoCloseAfterMinutes", 30}}}}}};
}

TEST_CASE("an idle session is closed in time, and used ones live on") {
  TestChannel channel(closing_after_30_minutes());
  open_session(channel);
  CHECK(channel.open().size() == 1);
  channel.pass_time(20 * kMinute);
  channel.say("m2", "again");
  channel.resolve(channel.asked("reply:r2").effect, reply("hi", "s1"));
  CHECK(channel.open().size() == 1);
  channel.pass_time(10 * kMinute);
  CHECK(channel.events("session.closed").empty());
  CHECK(channel.open().size() == 1);
  channel.pass_time(20 * kMinute);
  CHECK(channel.events("session.closed").back().payload.at("reason") == "inactive_timeout");
  CHECK(channel.open().empty());
}

TEST_CASE("a message after the time begins a new session, though nobody woke the channel") {
  TestChannel channel(closing_after_30_minutes());
  open_session(channel);
  channel.now_ms += 31 * kMinute;
  channel.say("m2", "again");
  CHECK(channel.events("session.closed").size() == 1);
  CHECK_FALSE(channel.asked("reply:r2").inputs.contains("sessionId"));
}

TEST_CASE("a session stays open while its run works, and while a card waits") {
  TestChannel channel(closing_after_30_minutes());
  open_session(channel);
  channel.say("m2", "again");
  channel.pass_time(60 * kMinute);
  CHECK(channel.events("session.closed").empty());
  channel.resolve(channel.asked("reply:r2").effect,
                  {{"text", ""}, {"ask", {{"question", "Which?"}}}});
  channel.pass_time(60 * kMinute);
  CHECK(channel.events("session.closed").empty());
}

TEST_CASE("a prompt that is too long is followed by one compaction and one attempt") {
  TestChannel channel;
  open_session(channel);
  channel.say("m2", "again");
  channel.fail(channel.asked("reply:r2").effect, kTooLong);
  const auto asked = channel.asked("compaction:c1");
  CHECK(asked.inputs.at("sessionId") == "s1");
  CHECK(asked.inputs.at("level") == "too_long");
  CHECK(asked.options.at("retry").at("maxAttempts") == 3);

  SECTION("with the session that the compaction gave") {
    channel.resolve(asked.effect, {{"summary", "greetings"}, {"sessionId", "s2"}});
    CHECK(channel.events("session.updated").back().payload.at("cause") == "compaction");
    CHECK(channel.asked("reply:r2:2").inputs.at("sessionId") == "s2");
    channel.fail(channel.asked("reply:r2:2").effect, kTooLong);
    CHECK(channel.open().empty());
    CHECK(channel.events("agent.status").back().payload.at("error").at("name") == "too_long");
  }
  SECTION("without a session when it gave none: the summary takes its place") {
    channel.resolve(asked.effect, {{"summary", "greetings"}});
    const auto inputs = channel.asked("reply:r2:2").inputs;
    CHECK_FALSE(inputs.contains("sessionId"));
    CHECK(inputs.at("prompt").get<std::string>().find("greetings") != std::string::npos);
  }
  SECTION("and nothing when it fails") {
    channel.fail(asked.effect, {{"name", "Down"}, {"message", "no network"}});
    CHECK(channel.open().empty());
    CHECK(channel.events("agent.status").back().payload.at("error").at("message") ==
          "compacting the session: no network");
    CHECK(channel.events("session.updated").size() == 1);
  }
  SECTION("unless the run is stopped meanwhile") {
    channel.signal("channel.stop", Json::object());
    CHECK(channel.open().empty());
    CHECK(channel.events("compactor.failed").back().payload.at("error") == "its run was stopped");
  }
}

TEST_CASE("a thread never compacts its parent's session into its own") {
  TestChannel channel({{"parent", "general"}, {"forkFrom", "p1"}});
  channel.say("m1", "hello");
  channel.fail(channel.asked("reply:r1").effect, kTooLong);
  channel.resolve(channel.asked("compaction:c1").effect,
                  {{"summary", "what the parent said"}, {"sessionId", "p1"}});
  const auto inputs = channel.asked("reply:r1:2").inputs;
  CHECK_FALSE(inputs.contains("fork"));
  CHECK_FALSE(inputs.contains("sessionId"));
}

TEST_CASE("a prompt that is too long by itself is an error at once") {
  TestChannel channel;
  channel.say("m1", "hello");
  channel.fail(channel.asked("reply:r1").effect, kTooLong);
  CHECK(channel.open().empty());
  CHECK(channel.events("agent.status").back().payload.at("state") == "error");
}

}  // namespace
}  // namespace reprise::channel
