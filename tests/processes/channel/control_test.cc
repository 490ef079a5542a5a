// What an operator does with a channel as a whole.
#include <catch2/catch.hpp>

#include "processes/channel/identity.h"
#include "tests/processes/channel/harness.h"

namespace reprise::channel {
namespace {

TEST_CASE("A stop ends the run, says so, and the queue goes on") {
  TestChannel channel;
  channel.say("a", "x");
  channel.say("b", "x");
  channel.news();
  REQUIRE_FALSE(channel.signal("channel.stop", {{"by", "ann"}}));
  CHECK(channel.news() ==
        "messages.processed agent.status message.created message.claimed channel.route.decided "
        "agent.status");
  CHECK(channel.events("messages.processed").back().payload.at("cause") == "stopped");
  CHECK(channel.events("message.created").back().payload.at("content") == "Run stopped.");
  CHECK(channel.events("message.claimed").back().payload.at("msgId") == "b");
  CHECK(channel.withdrawn().size() == 1);
  channel.check_cuts();
}

TEST_CASE("A stop that holds lets the queue wait until it is released") {
  TestChannel channel;
  channel.say("a", "x");
  channel.say("b", "x");
  REQUIRE_FALSE(channel.signal("channel.stop", {{"hold", true}}));
  CHECK(channel.events("message.claimed").size() == 1);
  channel.say("c", "x", {{"interrupt", true}});
  CHECK(channel.events("message.claimed").size() == 1);
  REQUIRE_FALSE(channel.signal("channel.release", Json::object()));
  CHECK(channel.events("message.claimed").back().payload.at("msgId") == "c");
}

TEST_CASE("What is so already is not made so a second time") {
  TestChannel channel;
  channel.news();
  for (const auto* name : {"channel.stop", "channel.release", "channel.recover"}) {
    REQUIRE_FALSE(channel.signal(name, Json::object()));
  }
  CHECK(channel.news().empty());
  REQUIRE_FALSE(channel.signal("channel.hold", Json::object()));
  REQUIRE_FALSE(channel.signal("channel.hold", Json::object()));
  CHECK(channel.news() == "channel.held");
}

TEST_CASE("A recovery gives the interrupted message up and goes on with the next") {
  TestChannel channel;
  channel.say("a", "x");
  channel.say("b", "x");
  REQUIRE_FALSE(channel.signal("channel.recover", {{"by", "ann"}}));
  CHECK(channel.events("messages.processed").back().payload.at("msgIds") == Json({"a"}));
  CHECK(channel.events("messages.processed").back().payload.at("cause") == "stale");
  CHECK(channel.events("message.claimed").back().payload.at("msgId") == "b");
  CHECK(channel.withdrawn().size() == 1);
}

TEST_CASE("A deleted channel ends, and all that waited counts as processed") {
  TestChannel channel;
  channel.say("a", "x");
  channel.say("b", "x");
  channel.say("c", "x", {{"notBefore", channel.now_ms + 1000}});
  channel.news();
  REQUIRE_FALSE(channel.signal("channel.delete", {{"by", "ann"}}));
  CHECK(channel.news() == "messages.processed agent.status messages.processed channel.deleted");
  CHECK(channel.events("messages.processed").back().payload.at("msgIds") == Json({"b", "c"}));
  CHECK(channel.ended());
  CHECK(channel.events("message.claimed").size() == 1);
  channel.check_cuts();
}

TEST_CASE("A channel's own settings win over those of the home, and can be taken back") {
  TestChannel channel(Json{{"configured", {{"contextWindow", 1000}, {"prefix", "!bot"}}}});
  const auto window = [&] {
    return channel.ask({{"ask", "channel"}}).at("settings").at("contextWindow");
  };
  CHECK(window() == 1000);
  REQUIRE_FALSE(channel.signal("channel.configure", {{"settings", {{"contextWindow", 500}}}}));
  CHECK(window() == 500);
  channel.say("a", "x", {{"configured", {{"contextWindow", 2000}}}});
  CHECK(window() == 500);
  CHECK(channel.events("channel.configured").size() == 2);
  channel.say("b", "x", {{"configured", {{"contextWindow", 2000}}}});
  CHECK(channel.events("channel.configured").size() == 2);  // the home said nothing new
  REQUIRE_FALSE(channel.signal("channel.configure", {{"settings", {{"contextWindow", nullptr}}}}));
  CHECK(window() == 2000);
  REQUIRE_FALSE(channel.signal("channel.configure", {{"name", "news"}, {"dir", "/work"}}));
  CHECK(channel.ask({{"ask", "identity"}}).at("dir") == "/work");
  CHECK(channel.ask({{"ask", "identity"}}).at("name") == "news");
}

TEST_CASE("Bad control is refused before it is recorded") {
  TestChannel channel;
  const auto refused = [&](const char* name, const Json& value) {
    const auto refusal = channel.signal(name, value);
    INFO(name << " " << value.dump());
    CHECK(refusal);
    return refusal ? refusal->message : "";
  };
  const auto before = channel.snapshot();
  refused("channel.stop", Json::array());
  refused("channel.stop", {{"hold", "yes"}});
  refused("channel.hold", {{"by", 7}});
  refused("channel.cancel", Json::object());
  refused("channel.cancel", {{"msgIds", "m1"}});
  refused("channel.cancel", {{"msgIds", {1}}});
  refused("channel.reorder", {{"msgIds", Json::array()}});
  refused("channel.delay", {{"msgId", "m1"}});
  refused("channel.delay", {{"msgId", "m1"}, {"notBefore", -1}});
  refused("channel.delay", {{"msgId", "m1"}, {"notBefore", 1.5}});
  refused("channel.configure", Json::object());
  refused("channel.configure", {{"dir", "here"}});
  CHECK(refused("channel.configure", {{"settings", {{"routing", {{"policy", "best"}}}}}}) ==
        "routing.policy must be keyword or direct");
  CHECK(refused("channel.configure", {{"settings", {{"contextWindw", 1}}}}) ==
        "there is no setting \"contextWindw\"");
  CHECK(refused("channel.configure", {{"settings", {{"permissions", Json::object()}}}})
            .find("channel:allow") != std::string::npos);
  refused("channel.unheard", Json::object());
  CHECK(channel.snapshot() == before);
}

TEST_CASE("A bad signal that was recorded all the same does no harm") {
  TestChannel channel;
  channel.say("a", "x");
  channel.news();
  for (const auto* name : {"channel.message", "channel.cancel", "channel.reorder", "channel.delay",
                           "channel.configure", "channel.allow", "channel.deny", "nonsense"}) {
    for (const auto& value :
         {Json(7), Json("text"), Json(), Json::array({1}), Json{{"msgIds", {"a"}}}}) {
      channel.force_signal(name, value);
    }
  }
  CHECK(channel.news().find_first_not_of(" channel.signal.refused") == std::string::npos);
  CHECK(channel.asked("reply:r1").kind == "model");
}

TEST_CASE("Inputs that make no channel are refused") {
  const auto check = [](const Json& inputs) { return Identity::check(inputs); };
  CHECK(check(Json::object()).empty());
  CHECK_FALSE(check(Json::array()).empty());
  CHECK_FALSE(check({{"name", 7}}).empty());
  CHECK_FALSE(check({{"dir", "here"}}).empty());
  CHECK_FALSE(check({{"worktree", "yes"}}).empty());
  CHECK_FALSE(check({{"permissions", {{"owner", Json::object()}}}}).empty());
  CHECK_FALSE(check({{"permissions", {{"owners", {{"users", "ann"}}}}}}).empty());
  CHECK_FALSE(check({{"settings", {{"historyMessages", 0}}}}).empty());
  CHECK_FALSE(check({{"settings", {{"permissions", Json::object()}}}}).empty());
  CHECK_FALSE(check({{"configured", {{"compactor", {{"soft", 2}}}}}}).empty());
}

}  // namespace
}  // namespace reprise::channel
