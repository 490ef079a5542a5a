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

}  // namespace
}  // namespace reprise::channel
