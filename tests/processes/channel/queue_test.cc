// The order of claims, and what moves messages that wait.
#include <catch2/catch.hpp>

#include "tests/processes/channel/harness.h"

namespace reprise::channel {
namespace {

std::string claims(const TestChannel& channel) {
  std::string ids;
  for (const auto& claimed : channel.events("message.claimed")) {
    ids += (ids.empty() ? "" : " ") + claimed.payload.at("msgId").get<std::string>();
  }
  return ids;
}

std::string queue(const TestChannel& channel) {
  std::string ids;
  for (const auto& queued : channel.ask({{"ask", "queue"}})) {
    ids += (ids.empty() ? "" : " ") + queued.at("msgId").get<std::string>();
  }
  return ids;
}

/// Answers whatever the agent is asked until it is asked nothing more.
void answer_all(TestChannel& channel) {
  for (size_t i = 0; i < 100; ++i) {
    const auto open = channel.open();
    const auto next =
        std::ranges::find_if(open, [](const auto& entry) { return entry.second.kind != "sleep"; });
    if (next == open.end()) return;
    channel.resolve(next->first, {{"text", "yes"}});
  }
}

/// A channel in which "m0" runs.
struct Busy : TestChannel {
  Busy() { REQUIRE_FALSE(say("m0", "hello")); }
};

TEST_CASE("Higher priority first, then the order in which they came") {
  Busy channel;
  channel.say("a", "x");
  channel.say("b", "x", {{"priority", 5}});
  channel.say("c", "x", {{"priority", 5}});
  channel.say("d", "x", {{"priority", -1}});
  channel.say("e", "x");
  CHECK(queue(channel) == "b c a e d");
  answer_all(channel);
  CHECK(claims(channel) == "m0 b c a e d");
  channel.check_cuts();
}

TEST_CASE("Messages of one millisecond keep the order in which they came (D1)") {
  Busy channel;
  for (const auto* id : {"z", "y", "x", "w"}) channel.say(id, "hello");
  answer_all(channel);
  CHECK(claims(channel) == "m0 z y x w");
}

TEST_CASE("The same message posted again is one message") {
  Busy channel;
  channel.say("a", "hello");
  const auto before = channel.events().size();
  channel.force_signal("channel.message", {{"msgId", "a"},
                                           {"author", {{"id", "ann"}}},
                                           {"content", "again"},
                                           {"flags", {{"dm", true}}}});
  channel.force_signal("channel.message", {{"msgId", "m0"},
                                           {"author", {{"id", "ann"}}},
                                           {"content", "again"},
                                           {"flags", {{"dm", true}}}});
  CHECK(channel.events().size() == before);
  answer_all(channel);
  CHECK(claims(channel) == "m0 a");
}

TEST_CASE("An interrupt is first in the queue before the run is stopped, in one commit") {
  Busy channel;
  channel.say("a", "x", {{"priority", 7}});
  channel.say("b", "x");
  channel.news();
  channel.say("i", "now this", {{"interrupt", true}});
  CHECK(channel.news() ==
        "message.created channel.message.received messages.processed agent.status "
        "message.claimed channel.route.decided agent.status");
  CHECK(channel.events("channel.message.received").back().payload.at("priority") == 8);
  const auto received = channel.events("channel.message.received").back();
  CHECK(channel.events("message.claimed").back().cause == received.cause);
  CHECK(channel.withdrawn().size() == 1);
  CHECK(queue(channel) == "a b");  // what waits is not lost
  answer_all(channel);
  CHECK(claims(channel) == "m0 i a b");
  channel.check_cuts();
}

TEST_CASE("An interrupt is above the running message, too") {
  TestChannel channel;
  channel.say("m0", "x", {{"priority", 9}});
  channel.say("a", "x", {{"priority", 3}});
  channel.say("i", "x", {{"interrupt", true}});
  CHECK(channel.events("channel.message.received").back().payload.at("priority") == 10);
  channel.say("j", "x", {{"interrupt", true}});
  CHECK(channel.events("channel.message.received").back().payload.at("priority") == 11);
  CHECK(claims(channel) == "m0 i j");
}

TEST_CASE("An interrupt that is only context stops nothing") {
  Busy channel;
  channel.say("i", "x", {{"interrupt", true}, {"flags", {{"dm", false}}}});
  CHECK(channel.withdrawn().empty());
  CHECK(claims(channel) == "m0");
}

TEST_CASE("A late message waits for its time, and does not hold up the others") {
  TestChannel channel;
  const auto time = channel.now_ms + 5000;
  channel.say("a", "x", {{"notBefore", time}, {"priority", 9}});
  CHECK(channel.has("delay:1"));
  CHECK(channel.asked("delay:1").due_ms == time);
  CHECK(claims(channel).empty());
  channel.say("b", "x");
  CHECK(claims(channel) == "b");
  answer_all(channel);
  channel.pass_time(4999);
  CHECK(claims(channel) == "b");
  channel.pass_time(1);
  CHECK(claims(channel) == "b a");
  channel.check_cuts();
}

TEST_CASE("A delay is stronger than an interrupt") {
  Busy channel;
  channel.say("i", "x", {{"interrupt", true}, {"notBefore", channel.now_ms + 1000}});
  CHECK(channel.withdrawn().empty());
  CHECK(queue(channel) == "i");
}

TEST_CASE("A message whose time came while the engine slept is claimed with its sleep") {
  TestChannel channel;
  channel.say("a", "x", {{"notBefore", channel.now_ms + 1000}});
  channel.now_ms += 2000;
  channel.say("b", "x", {{"priority", -1}});
  CHECK(claims(channel) == "a");
  CHECK_FALSE(channel.has("delay:1"));
}

TEST_CASE("A delay can be set, moved and lifted") {
  Busy channel;
  channel.say("a", "x");
  channel.say("b", "x");
  REQUIRE_FALSE(
      channel.signal("channel.delay", {{"msgId", "a"}, {"notBefore", channel.now_ms + 9000}}));
  CHECK(queue(channel) == "b a");
  REQUIRE_FALSE(
      channel.signal("channel.delay", {{"msgId", "a"}, {"notBefore", channel.now_ms + 100}}));
  CHECK(channel.withdrawn().size() == 1);
  CHECK(channel.asked("delay:2").due_ms == channel.now_ms + 100);
  REQUIRE_FALSE(channel.signal("channel.delay", {{"msgId", "a"}, {"notBefore", 0}}));
  CHECK_FALSE(channel.has("delay:2"));
  CHECK(queue(channel) == "a b");
}

TEST_CASE("A reorder counts down from the number of messages, and the rest stay behind") {
  Busy channel;
  for (const auto* id : {"a", "b", "c", "d"}) channel.say(id, "x");
  REQUIRE_FALSE(channel.signal("channel.reorder", {{"msgIds", {"d", "b"}}}));
  CHECK(channel.events("queue.reordered").back().payload.at("priorities") == Json({2, 1}));
  channel.say("e", "x");
  CHECK(queue(channel) == "d b a c e");
  channel.say("i", "x", {{"interrupt", true}});
  CHECK(claims(channel) == "m0 i");
  answer_all(channel);
  CHECK(claims(channel) == "m0 i d b a c e");
}

TEST_CASE("What is cancelled is gone with its sleep, and was never claimed") {
  Busy channel;
  channel.say("a", "x");
  channel.say("b", "x", {{"notBefore", channel.now_ms + 1000}});
  channel.say("c", "x");
  channel.news();
  REQUIRE_FALSE(channel.signal("channel.cancel", {{"msgIds", {"a", "b"}}, {"by", "ann"}}));
  CHECK(channel.news() == "message.deleted message.deleted messages.processed");
  CHECK(channel.events("messages.processed").back().payload.at("cause") == "deleted");
  CHECK_FALSE(channel.has("delay:3"));
  CHECK(channel.ask({{"ask", "message"}, {"msgId", "a"}}).at("state") == "deleted");
  REQUIRE_FALSE(channel.signal("channel.cancel", {{"msgIds", {"a"}}}));  // again: nothing
  CHECK(channel.news().empty());
  answer_all(channel);
  channel.pass_time(5000);
  CHECK(claims(channel) == "m0 c");
}

TEST_CASE("The message that runs is neither cancelled, nor reordered, nor delayed") {
  Busy channel;
  channel.say("a", "x");
  const auto snapshot = channel.snapshot();
  for (const auto& [name, value] : std::vector<std::pair<std::string, Json>>{
           {"channel.cancel", {{"msgIds", {"a", "m0"}}}},
           {"channel.reorder", {{"msgIds", {"m0", "a"}}}},
           {"channel.delay", {{"msgId", "m0"}, {"notBefore", 1}}}}) {
    const auto refusal = channel.signal(name, value);
    REQUIRE(refusal);
    CHECK(refusal->kind == Refusal::Kind::kConflict);
    CHECK(refusal->code == "MESSAGE_RUNNING");
    CHECK(refusal->hint.find("channel:stop") != std::string::npos);
  }
  CHECK(channel.snapshot() == snapshot);
}

TEST_CASE("A message that does not wait is not moved, and its state says why") {
  Busy channel;
  channel.say("context", "x", {{"flags", {{"dm", false}}}});
  const auto code = [&](const std::string& id) {
    const auto refusal = channel.signal("channel.reorder", {{"msgIds", {id}}});
    return refusal ? refusal->code : "";
  };
  CHECK(code("nobody") == "MESSAGE_UNKNOWN");
  CHECK(channel.signal("channel.cancel", {{"msgIds", {"nobody"}}})->kind ==
        Refusal::Kind::kNotFound);
  CHECK(code("context") == "MESSAGE_NOT_QUEUED");
  answer_all(channel);
  CHECK(code("m0") == "MESSAGE_PROCESSED");
  channel.say("m1", "x");
  channel.say("a", "x");
  CHECK(channel.signal("channel.reorder", {{"msgIds", {"a", "a"}}})->kind ==
        Refusal::Kind::kInvalid);
}

TEST_CASE("With a message the untriggered ones before it are processed, and no others") {
  TestChannel channel;
  channel.say("old", "chat", {{"flags", {{"dm", false}}}});
  channel.say("queued", "x", {{"priority", -1}, {"notBefore", channel.now_ms + 1000}});
  channel.say("trigger", "x");
  channel.say("newer", "chat", {{"flags", {{"dm", false}}}});
  answer_all(channel);
  const auto processed = channel.events("messages.processed");
  REQUIRE(processed.size() == 1);
  CHECK(processed[0].payload.at("msgIds") == Json({"trigger", "old"}));
  channel.pass_time(1000);
  answer_all(channel);
  CHECK(channel.events("messages.processed").back().payload.at("msgIds") == Json({"queued"}));
  channel.say("last", "x");
  answer_all(channel);
  CHECK(channel.events("messages.processed").back().payload.at("msgIds") ==
        Json({"last", "newer"}));
}

TEST_CASE("A message is asked about in each of its states") {
  Busy channel;
  channel.say("a", "x", {{"priority", 2}});
  channel.say("b", "x", {{"notBefore", channel.now_ms + 1000}});
  const auto state = [&](const char* id) {
    return channel.ask({{"ask", "message"}, {"msgId", id}});
  };
  CHECK(state("m0").at("state") == "running");
  CHECK(state("m0").at("runId") == "r1");
  CHECK(state("m0").at("decision").at("action") == "respond");
  CHECK_FALSE(state("m0").at("effects").empty());
  CHECK(state("a").at("state") == "queued");
  CHECK(state("a").at("place") == 1);
  CHECK(state("a").at("priority") == 2);
  CHECK(state("b").at("place") == 2);
  CHECK(state("b").at("ready") == false);
  CHECK(state("nobody").is_null());
  answer_all(channel);
  CHECK(state("m0").at("state") == "processed");
  CHECK(state("m0").at("cause") == "delivered");
}

TEST_CASE("A queue longer than the memory of fates loses nothing") {
  Busy channel;
  channel.verifies = false;
  for (int i = 0; i < 250; ++i) channel.say("q" + std::to_string(i), "x");
  const auto oldest = channel.ask({{"ask", "message"}, {"msgId", "q0"}});
  CHECK(oldest.at("state") == "queued");
  CHECK(oldest.at("place") == 1);
  for (int i = 0; i < 3; ++i) answer_all(channel);
  CHECK(channel.events("message.claimed").size() == 251);
  CHECK(channel.events("messages.processed").size() == 251);
}

}  // namespace
}  // namespace reprise::channel
