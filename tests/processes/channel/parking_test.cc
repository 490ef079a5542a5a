// Plans and questions of the agent: what parks the channel, and what each answer does.
#include "processes/channel/parking.h"

#include <catch2/catch.hpp>

#include "tests/processes/channel/harness.h"

namespace reprise::channel {
namespace {

void ask_for_a_plan(TestChannel& channel) {
  channel.say("m1", "do it", {{"mode", "plan"}});
  CHECK(channel.asked("reply:r1").inputs.at("planMode") == true);
  channel.resolve(channel.asked("reply:r1").effect, {{"text", ""}, {"plan", "1. this 2. that"}});
}

TEST_CASE("a plan parks the channel, and nothing is claimed") {
  TestChannel channel;
  ask_for_a_plan(channel);
  CHECK(channel.asked("card:k1").kind == "breakpoint");
  CHECK(channel.asked("card:k1").inputs.at("plan") == "1. this 2. that");
  CHECK(channel.events("agent.status").back().payload.at("state") == "completed");
  channel.say("m2", "hello?");
  CHECK(channel.open().size() == 1);

  SECTION("an approval goes on, before all that waits") {
    channel.resolve(channel.asked("card:k1").effect, {{"approved", true}, {"respondedBy", "ann"}});
    CHECK(channel.events("channel.unparked").back().payload.at("verdict") == "approved");
    const auto inputs = channel.asked("reply:r2").inputs;
    CHECK(inputs.at("trigger").at("content") == "The plan is approved. Go on.");
    CHECK(inputs.at("trigger").at("author").at("id") == "ann");
    CHECK_FALSE(inputs.contains("planMode"));
  }
  SECTION("a rejection runs nothing, and the queue goes on") {
    channel.resolve(channel.asked("card:k1").effect, {{"approved", false}, {"respondedBy", "ann"}});
    CHECK(channel.events("channel.unparked").back().payload.at("verdict") == "rejected");
    CHECK(channel.asked("reply:r2").inputs.at("msgId") == "m2");
    const auto said = channel.asked("reply:r2").inputs.at("messages");
    CHECK(said.at(said.size() - 2).at("role") == "system");
    CHECK(said.at(said.size() - 2).at("content") ==
          "ann rejected the plan: nothing of it is carried out.");
  }
  SECTION("a denial with a text is a denial and an interrupt: the text goes on in plan mode") {
    channel.resolve(channel.asked("card:k1").effect,
                    {{"approved", false}, {"response", "first the tests"}, {"respondedBy", "ann"}});
    const auto inputs = channel.asked("reply:r2").inputs;
    CHECK(inputs.at("trigger").at("content") == "first the tests");
    CHECK(inputs.at("planMode") == true);
  }
  SECTION("a card that is cancelled is rejected") {
    channel.cancel(channel.asked("card:k1").effect);
    CHECK(channel.events("channel.unparked").back().payload.at("verdict") == "rejected");
    CHECK(channel.asked("reply:r2").inputs.at("msgId") == "m2");
  }
  SECTION("stop takes the card back") {
    channel.signal("channel.stop", Json::object());
    CHECK(channel.withdrawn().size() == 1);
    CHECK(channel.asked("reply:r2").inputs.at("msgId") == "m2");
  }
}

TEST_CASE("what an agent would begin beside a question waits for the answer, and is told") {
  TestChannel channel;
  channel.say("m1", "ship it");
  channel.resolve(channel.asked("reply:r1").effect,
                  {{"ask", {{"question", "To everybody?"}}},
                   {"spawn", {{"worker", {{"objective", "ship it"}}}}}});
  CHECK(channel.has("card:k1"));
  CHECK(channel.events("worker.spawned").empty());
  CHECK(channel.events("message.created").back().payload.at("content") ==
        "The work that the agent wanted to begin was not begun: what it asked is to be answered "
        "first.");
  channel.resolve(channel.asked("card:k1").effect, {{"approved", false}, {"respondedBy", "ann"}});
  CHECK(channel.events("message.created").back().payload.at("content") ==
        "ann declined to answer.");
  CHECK(channel.open().empty());
}

TEST_CASE("an answer is read as people write it") {
  Parking parking;
  parking.kind = "ask";
  parking.options = {"red", "blue"};
  const auto judge = [&](const char* answer) { return judge_answer(parking, Json::parse(answer)); };
  CHECK(judge(R"({"approved":true})").verdict == "approved");
  CHECK(judge(R"({"approved":true,"response":" OK! "})").verdict == "approved");
  CHECK(judge(R"({"approved":true,"response":"2"})").text == "blue");
  CHECK(judge(R"({"approved":true,"response":"3"})").text == "3");
  CHECK(judge(R"({"approved":true,"option":"red"})").text == "red");
  CHECK(judge(R"({"approved":false,"response":"Skip."})").verdict == "rejected");
  CHECK(judge(R"({"approved":false,"feedback":"green, rather"})").mode == "plan");
  CHECK(judge(R"("garbage")").verdict == "rejected");
}

TEST_CASE("a question names its options") {
  TestChannel channel;
  channel.say("m1", "paint it");
  channel.resolve(
      channel.asked("reply:r1").effect,
      {{"text", ""}, {"ask", {{"question", "Which colour?"}, {"options", {"red", "blue"}}}}});
  CHECK(channel.asked("card:k1").inputs.at("options") == Json({"red", "blue"}));
  channel.resolve(channel.asked("card:k1").effect, {{"approved", true}, {"option", "blue"}});
  CHECK(channel.asked("reply:r2").inputs.at("trigger").at("content") == "blue");
}

}  // namespace
}  // namespace reprise::channel
