// Commands in messages: the operator's, under the author's permission.
#include <catch2/catch.hpp>

#include "tests/processes/channel/harness.h"

namespace reprise::channel {
namespace {

/// What the channel said last.
std::string last_said(const TestChannel& channel) {
  const auto row = channel.events("message.created").back().payload;
  return row.at("role") == "system" ? row.at("content").get<std::string>() : "";
}

struct Group : TestChannel {
  Group()
      : TestChannel({{"platform", "discord"},
                     {"permissions",
                      {{"owners", {{"users", {"root"}}}}, {"members", {{"users", {"ann"}}}}}}}) {}

  std::string tell(const std::string& text, const char* user = "ann") {
    static int number = 0;
    REQUIRE_FALSE(say("s" + std::to_string(++number), text, {{"author", {{"id", user}}}}));
    return last_said(*this);
  }
};

TEST_CASE("A command is carried out at once and never queued") {
  Group channel;
  channel.say("m1", "hello");
  channel.say("m2", "hello");
  channel.news();
  CHECK(channel.tell("/stop") == "Run stopped.");
  CHECK(channel.news() ==
        "message.created channel.message.received messages.processed agent.status message.created "
        "messages.processed message.claimed channel.route.decided agent.status");
  CHECK(channel.events("messages.processed").back().payload.at("cause") == "command");
  CHECK(channel.events("channel.message.received").back().payload.at("command") == "/stop");
  CHECK(channel.events("message.claimed").size() == 2);
  channel.check_cuts();
}

TEST_CASE("Every command answers in the channel") {
  Group channel;
  CHECK(channel.tell("/status").starts_with("No run is active. 0 in the queue."));
  CHECK(channel.tell("/stop") == "No active run to stop.");
  CHECK(channel.tell("/queue") == "The queue is empty.");
  CHECK(channel.tell("/hold").find("/release") != std::string::npos);
  channel.say("m1", "hello");
  CHECK(channel.tell("/status").find("1 in the queue, which is held") != std::string::npos);
  CHECK(channel.tell("/queue") == "m1 Ann: hello");
  CHECK(channel.tell("/cancel") == "msgIds is missing; name at least one message.");
  CHECK(channel.tell("/cancel nobody").starts_with("no message nobody waits in this channel"));
  CHECK(channel.tell("/cancel m1") == "Cancelled: 1.");
  CHECK(channel.tell("/release") == "The queue goes on.");
  CHECK(channel.tell("/recover") == "No run was interrupted.");
  CHECK(channel.tell("/tasks") == "No workers.");
  CHECK(channel.tell("/help").find("/cancel ID...: take messages out") != std::string::npos);
  CHECK(channel.events("message.claimed").empty());
  channel.check_cuts();
}

TEST_CASE("The answer names the command that it answers") {
  Group channel;
  channel.say("s", "/status", {{"author", {{"id", "ann"}}}});
  CHECK(channel.events("message.created").back().payload.at("replyTo") == "s");
}

TEST_CASE("Only owners manage permissions, and strangers command nothing") {
  Group channel;
  CHECK(channel.tell("/allow eve") == "Only owners can manage permissions.");
  CHECK(channel.tell("/deny root") == "Only owners can manage permissions.");
  CHECK(channel.tell("/allow mallory owner", "agent") == "Only owners can manage permissions.");
  CHECK(channel.tell("/hold", "zoe") == "You don't have permission to use this command.");
  CHECK(channel.events("permission.changed").empty());
  CHECK(channel.events("channel.held").empty());
  CHECK(channel.tell("/allow eve bob owner", "root") == "Allowed as owner.");
  CHECK(channel.events("permission.changed").back().payload.at("by") == "root");
  CHECK(channel.events("permission.changed").back().payload.at("owners").at("users") ==
        Json({"bob", "eve", "root"}));
  CHECK(channel.tell("/deny bob", "eve") == "Denied.");
  CHECK(channel.tell("/iamtheowner", "ann") == "This channel has its lists already.");
}

TEST_CASE("The first who claims an open channel is its owner") {
  TestChannel channel(Json{{"platform", "discord"}});
  channel.say("s1", "/iamtheowner");
  CHECK(last_said(channel) == "You are the owner of this channel now.");
  channel.say("s2", "/iamtheowner", {{"author", {{"id", "eve"}}}});
  CHECK(last_said(channel) == "You don't have permission to use this command.");
}

TEST_CASE("What is no command of the channel is the agent's") {
  Group channel;
  channel.say("a", "/compact please");
  CHECK(channel.events("message.claimed").back().payload.at("msgId") == "a");
  channel.say("b", "/etc/passwd is a file");
  channel.say("c", "use /stop to end it");
  channel.say("d", "/stopping is fine");
  CHECK(channel.events("messages.processed").empty());
}

TEST_CASE("An untriggered command is talk") {
  Group channel;
  channel.say("m1", "hello");
  channel.say("a", "/stop", {{"flags", {{"dm", false}}}, {"author", {{"id", "ann"}}}});
  CHECK(channel.withdrawn().empty());
}

TEST_CASE("A command may stand behind the prefix, and say whom it is for") {
  Group channel;
  const Json quiet = {{"flags", {{"dm", false}}}, {"author", {{"id", "ann"}}}};
  channel.say("a", "!loop /hold", quiet);
  CHECK(channel.events("channel.held").size() == 1);
  channel.say("b", "!loop  /RELEASE@bot", quiet);
  CHECK(channel.events("channel.released").size() == 1);
}

TEST_CASE("A stop that holds says how the queue goes on") {
  Group channel;
  channel.say("m1", "hello");
  CHECK(channel.tell("/stop hold").find("/release") != std::string::npos);
  CHECK(channel.events("channel.held").size() == 1);
}

}  // namespace
}  // namespace reprise::channel
