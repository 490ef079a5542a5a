#include <catch2/catch.hpp>

#include "tests/processes/channel/harness.h"

namespace reprise::channel {
namespace {

TEST_CASE("a message is claimed, routed, answered and processed") {
  TestChannel channel;
  CHECK(channel.news() == "channel.created");
  REQUIRE_FALSE(channel.say("m1", "hello"));
  CHECK(channel.news() ==
        "message.created channel.message.received message.claimed channel.route.decided "
        "agent.status");
  channel.resolve(channel.asked("reply:r1").effect, {{"text", "hi"}});
  CHECK(channel.news() == "message.created messages.processed agent.status");
  CHECK(channel.events("message.created").back().payload.at("content") == "hi");
  CHECK(channel.open().empty());
}

std::string rows_of(const TestChannel& channel, const Json& question) {
  std::string rows;
  for (const auto& row : channel.ask(question)) rows += " " + row.at("row").dump();
  return rows;
}

TEST_CASE("the newest rows are told as long as the state holds all of them") {
  TestChannel channel(Json{{"settings", {{"historyMessages", 4}}}});
  CHECK(rows_of(channel, {{"ask", "messages"}, {"newest", 3}}).empty());
  for (const auto* id : {"m1", "m2", "m3"}) channel.say(id, "hello");
  channel.resolve(channel.asked("reply:r1").effect, {{"text", "hi"}});
  CHECK(rows_of(channel, {{"ask", "messages"}, {"newest", 50}}) == " 1 2 3 4");
  CHECK(rows_of(channel, {{"ask", "messages"}, {"newest", 2}}) == " 3 4");
  CHECK(rows_of(channel, {{"ask", "messages"}, {"newest", 2}, {"after", 1}}) == " 2 3 4");
  CHECK(channel.ask({{"ask", "messages"}, {"after", 4}}) == Json::array());

  channel.resolve(channel.asked("reply:r2").effect,
                  {{"text", "hi again"}, {"turns", {{{"kind", "tool_use"}, {"tool", "shell"}}}}});
  CHECK(channel.ask({{"ask", "messages"}, {"newest", 1}}).size() == 1);
  CHECK(channel.ask({{"ask", "messages"}, {"newest", 2}}).is_null());  // row 5 is the tool's
  CHECK(channel.ask({{"ask", "messages"}, {"after", 1}}).is_null());
  CHECK(channel.ask({{"ask", "messages"}, {"after", 5}}).size() == 1);
}

}  // namespace
}  // namespace reprise::channel
