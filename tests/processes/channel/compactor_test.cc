// The context: how full it is, and what the compactor does about it.
#include <catch2/catch.hpp>

#include "tests/processes/channel/harness.h"

namespace reprise::channel {
namespace {

/// 500 tokens are 2,000 characters; each exchange of say_much() adds 100 characters.
Json small_window() {
  return {{"settings", {{"contextWindow", 500}, {"routing", {{"policy", "direct"}}}}}};
}

std::string letters(size_t count) { return std::string(count, 'x'); }

/// So many exchanges of 50 characters each way; `first` is the number of the first run.
void say_much(TestChannel& channel, int exchanges, int first) {
  for (int i = first; i < first + exchanges; ++i) {
    channel.say("m" + std::to_string(i), letters(50));
    channel.resolve(channel.asked("reply:r" + std::to_string(i)).effect, {{"text", letters(50)}});
  }
}

double utilization_of(const TestChannel& channel) {
  return channel.ask({{"ask", "channel"}}).at("utilization");
}

TEST_CASE("the estimate is a quarter of the code points, at least 1, at most the window") {
  TestChannel channel(small_window());
  CHECK(utilization_of(channel) == 1.0 / 500);
  channel.say("m1", "тест тест тест т");
  CHECK(utilization_of(channel) == 4.0 / 500);
  channel.resolve(channel.asked("reply:r1").effect, {{"text", letters(83)}});
  CHECK(utilization_of(channel) == 24.0 / 500);
  channel.say("m2", letters(9000));
  CHECK(utilization_of(channel) == 1.0);
}

TEST_CASE("messages that wait, thoughts and tools are in no prompt and in no estimate") {
  TestChannel channel(small_window());
  channel.say("m1", letters(40));
  channel.say("m2", letters(4000));
  CHECK(utilization_of(channel) == 10.0 / 500);
  channel.signal("channel.hold", Json::object());
  channel.resolve(channel.asked("reply:r1").effect,
                  {{"text", letters(40)},
                   {"turns",
                    {{{"kind", "thinking"}, {"text", letters(4000)}},
                     {{"kind", "tool_result"}, {"text", letters(4000)}}}}});
  CHECK(utilization_of(channel) == 20.0 / 500);
}

TEST_CASE("real usage stands for what it covers, and the window is the executor's") {
  TestChannel channel(small_window());
  channel.say("m1", letters(40));
  channel.resolve(channel.asked("reply:r1").effect,
                  {{"text", letters(40)},
                   {"contextWindow", 1000},
                   {"usage", {{"promptTokens", 200}, {"completionTokens", 50}}}});
  CHECK(utilization_of(channel) == 250.0 / 1000);
  channel.say("m2", letters(80));
  CHECK(utilization_of(channel) == 270.0 / 1000);
  const auto shown = channel.ask({{"ask", "channel"}});
  CHECK(shown.at("context").at("source") == "usage");
  CHECK(shown.at("usage").at("model").at("results") == 1);
  CHECK(shown.at("usage").at("model").at("promptTokens") == 200);
}

TEST_CASE("usage is what results tell, and nothing else") {
  TestChannel channel;
  channel.say("m1", "hello");
  channel.resolve(channel.asked("reply:r1").effect, {{"text", "hi"}});
  channel.say("m2", "hello");
  channel.resolve(channel.asked("reply:r2").effect,
                  {{"text", "hi"}, {"usage", {{"promptTokens", -1}, {"completionTokens", 1e300}}}});
  CHECK(channel.events("usage.counted").empty());
  CHECK(channel.ask({{"ask", "channel"}}).at("usage").empty());
}

TEST_CASE("a level that is passed after a response folds the middle of the conversation") {
  TestChannel channel(small_window());
  say_much(channel, 16, 1);
  CHECK(channel.events("compactor.threshold.hit").empty());  // 0.80 is not above 0.80
  say_much(channel, 1, 17);
  const auto hit = channel.events("compactor.threshold.hit").back().payload;
  CHECK(hit.at("level") == "soft");
  CHECK(hit.at("targetReductionPercent") == 30);
  CHECK(hit.at("rows") == Json({2, 26}));
  const auto asked = channel.asked("compaction:c1");
  CHECK(asked.inputs.at("messages").size() == 25);

  const auto before = utilization_of(channel);
  channel.resolve(asked.effect, {{"summary", "x was said often"}});
  CHECK(utilization_of(channel) < before);
  const auto applied = channel.events("compactor.summary.applied").back().payload;
  CHECK(applied.at("before") == before);
  CHECK(applied.at("after") == utilization_of(channel));
  CHECK(channel.events("artifact.created").back().payload.at("content") == "x was said often");

  channel.say("m18", "hello");
  const auto messages = channel.asked("reply:r18").inputs.at("messages");
  REQUIRE(messages.size() == 11);  // the first, the summary, the newest 8, the trigger
  CHECK(messages.at(1).at("content") == "Summary of what was said before: x was said often");
  CHECK(channel.ask({{"ask", "channel"}}).at("compactor").at("inFlight").empty());
}

TEST_CASE("a first message that is longer than the newest may be is folded like the others") {
  TestChannel channel(small_window());
  channel.say("m1", letters(1'000'000));
  channel.resolve(channel.asked("reply:r1").effect, {{"text", letters(50)}});
  const auto prompt = channel.asked("compaction:c1").inputs.at("prompt").get<std::string>();
  CHECK(prompt.find("[999500 characters left out]") != std::string::npos);
  CHECK(prompt.size() < 2000);
  channel.resolve(channel.asked("compaction:c1").effect, {{"summary", "many letters"}});
  CHECK(utilization_of(channel) < 0.1);
  channel.say("m2", "and now?");
  const auto messages = channel.asked("reply:r2").inputs.at("messages");
  CHECK(messages.at(0).at("content") == "Summary of what was said before: many letters");
  CHECK(messages.size() == 3);
}

TEST_CASE("a first message that stayed is folded once it is longer than the newest may be") {
  TestChannel channel(small_window());
  channel.say("m1", letters(900));
  channel.resolve(channel.asked("reply:r1").effect, {{"text", letters(50)}});
  say_much(channel, 7, 2);
  channel.resolve(channel.asked("compaction:c1").effect, {{"summary", "the rest"}});
  CHECK(channel.events("compactor.summary.applied").back().payload.at("rows").at(0) == 2);
  channel.signal("channel.configure", {{"settings", {{"compactor", {{"keepTokens", 100}}}}}});
  say_much(channel, 3, 9);
  channel.resolve(channel.asked("compaction:c2").effect, {{"summary", "all of it"}});
  CHECK(channel.events("compactor.summary.applied").back().payload.at("rows").at(0) == 1);
}

TEST_CASE("a second compaction folds the first summary with it") {
  TestChannel channel(small_window());
  say_much(channel, 17, 1);
  channel.resolve(channel.asked("compaction:c1").effect, {{"summary", "the first part"}});
  say_much(channel, 12, 18);
  const auto messages = channel.asked("compaction:c2").inputs.at("messages");
  CHECK(messages.at(0).at("content") == "Summary of what was said before: the first part");
  channel.resolve(channel.asked("compaction:c2").effect, {{"summary", "all of it"}});
  channel.say("m30", "hello");
  const auto carried = channel.asked("reply:r30").inputs.at("messages");
  CHECK(carried.size() == 11);
  CHECK(carried.at(0).at("content") == letters(50));
  CHECK(carried.at(1).at("content") == "Summary of what was said before: all of it");
}

TEST_CASE("a level in flight is not begun again, and a higher one takes over") {
  TestChannel channel(small_window());
  say_much(channel, 17, 1);
  const auto soft = channel.asked("compaction:c1").effect;
  channel.say("m18", "h");
  channel.resolve(channel.asked("reply:r18").effect, {{"text", "i"}});
  CHECK(channel.events("compactor.threshold.hit").size() == 1);
  say_much(channel, 1, 19);
  CHECK(channel.events("compactor.threshold.hit").back().payload.at("level") == "aggressive");
  CHECK(channel.withdrawn() == std::vector<uint64_t>{soft});
  CHECK(channel.has("compaction:c2"));
  say_much(channel, 2, 20);
  CHECK(channel.events("compactor.threshold.hit").back().payload.at("level") == "emergency");
  CHECK(channel.open().size() == 1);
}

TEST_CASE("a compaction that failed is told, and tried again when the context has grown") {
  TestChannel channel(small_window());
  say_much(channel, 17, 1);
  SECTION("because its attempts did") {
    channel.fail(channel.asked("compaction:c1").effect, {{"message", "no network"}});
  }
  SECTION("because it was cancelled") { channel.cancel(channel.asked("compaction:c1").effect); }
  SECTION("because its summary is empty") {
    channel.resolve(channel.asked("compaction:c1").effect, {{"summary", " "}});
  }
  CHECK(channel.events("compactor.failed").size() == 1);
  channel.say("m18", "h");
  channel.resolve(channel.asked("reply:r18").effect, {{"text", "i"}});
  CHECK(channel.open().empty());
  say_much(channel, 1, 19);  // 5 points, and the next level
  CHECK(channel.has("compaction:c2"));
}

TEST_CASE("the three attempts of a compaction are 250 and 500 ms apart") {
  TestChannel channel(small_window());
  say_much(channel, 17, 1);
  CHECK(channel.asked("compaction:c1").options.at("retry") ==
        Json({{"maxAttempts", 3}, {"backoffMs", 250}, {"factor", 2}, {"maxBackoffMs", 2000}}));
}

TEST_CASE("summaries that do not help are counted, and after two the channel says so") {
  TestChannel channel(small_window());
  say_much(channel, 17, 1);
  channel.resolve(channel.asked("compaction:c1").effect, {{"summary", letters(1500)}});
  CHECK(channel.events("compactor.ineffective").size() == 1);
  channel.say("m18", "hi");
  channel.resolve(channel.asked("reply:r18").effect, {{"text", "hi"}});
  channel.resolve(channel.asked("compaction:c2").effect, {{"summary", letters(5000)}});
  CHECK(channel.events("compactor.ineffective").size() == 2);
  const auto said = channel.events("message.created").back().payload;
  CHECK(said.at("role") == "system");
  CHECK(channel.ask({{"ask", "channel"}}).at("compactor").at("stopped") == true);
  say_much(channel, 5, 19);
  CHECK(channel.open().empty());
}

TEST_CASE("a summary that only the estimate believes in is judged by the next response") {
  TestChannel channel(small_window());
  say_much(channel, 16, 1);
  const Json full = {{"text", "hi"}, {"usage", {{"promptTokens", 440}, {"completionTokens", 1}}}};
  channel.say("m17", "hi");
  channel.resolve(channel.asked("reply:r17").effect, full);
  channel.resolve(channel.asked("compaction:c1").effect, {{"summary", "short"}});
  CHECK(channel.events("compactor.ineffective").empty());
  channel.say("m18", "hi");
  channel.resolve(channel.asked("reply:r18").effect, full);
  CHECK(channel.events("compactor.ineffective").size() == 1);
}

TEST_CASE("a context that cannot be folded is told once, not after each response") {
  TestChannel channel(small_window());
  channel.say("m1", letters(1698));
  channel.resolve(channel.asked("reply:r1").effect, {{"text", "hi"}});
  CHECK(channel.events("compactor.failed").size() == 1);
  channel.say("m2", "h");
  channel.resolve(channel.asked("reply:r2").effect, {{"text", "i"}});
  CHECK(channel.events("compactor.failed").size() == 1);
  CHECK(channel.open().empty());
}

TEST_CASE("a run waits for the compaction of its session, and uses what came of it") {
  TestChannel channel(small_window());
  say_much(channel, 16, 1);
  channel.say("m17", letters(50));
  channel.resolve(channel.asked("reply:r17").effect, {{"text", letters(50)}, {"sessionId", "s1"}});
  CHECK(channel.asked("compaction:c1").inputs.at("sessionId") == "s1");
  channel.say("m18", "hi");
  CHECK(channel.open().size() == 1);
  SECTION("a new session") {
    channel.resolve(channel.asked("compaction:c1").effect,
                    {{"summary", "short"}, {"sessionId", "s2"}});
    CHECK(channel.asked("reply:r18").inputs.at("sessionId") == "s2");
    CHECK(channel.asked("reply:r18").inputs.at("messages").size() == 1);
  }
  SECTION("the old one, when it failed") {
    channel.fail(channel.asked("compaction:c1").effect, {{"message", "no network"}});
    CHECK(channel.asked("reply:r18").inputs.at("sessionId") == "s1");
  }
  SECTION("nothing, when it was stopped first") {
    channel.signal("channel.stop", Json::object());
    channel.resolve(channel.asked("compaction:c1").effect,
                    {{"summary", "short"}, {"sessionId", "s2"}});
    CHECK(channel.open().empty());
    CHECK(channel.events("session.updated").back().payload.at("sessionId") == "s2");
  }
}

}  // namespace
}  // namespace reprise::channel
