// From the claim of a message to its reply: what the agent is given, and what becomes of a result.
#include <catch2/catch.hpp>

#include "tests/processes/channel/harness.h"

namespace reprise::channel {
namespace {

const Json kHi = {{"text", "hi"}};

TEST_CASE("what came with a message is named in the prompt") {
  TestChannel channel;
  const Json attachments = {{{"name", "a.txt"}, {"path", "/tmp/a.txt"}}, {{"url", "http://x/b"}}};
  REQUIRE_FALSE(channel.say("m1", "look", {{"attachments", attachments}}));
  const auto& inputs = channel.asked("reply:r1").inputs;
  const auto content = inputs.at("messages").at(0).at("content").get<std::string>();
  CHECK(content == "look");
  CHECK_THAT(inputs.at("prompt").get<std::string>(),
             Catch::Contains("Ann: look\n[attached: /tmp/a.txt]\n[attached: http://x/b]"));
}

TEST_CASE("the agent gets the conversation as text and as messages, its trigger last") {
  TestChannel channel({{"id", "general"}, {"dir", "/srv/general"}});
  channel.recalled = {{"memories", Json::array({{{"id", "m1"}, {"note", "Ann likes tea"}}})},
                      {"bulletin", "All is well."}};
  channel.say("m1", "hello");
  channel.resolve(channel.asked("reply:r1").effect, kHi);
  channel.say("m2", "again");
  const auto asked = channel.asked("reply:r2");
  CHECK(asked.kind == "model");
  CHECK(asked.inputs.at("prompt") ==
        "[channel_context_v1]\n"
        "Use the conversation context below to answer the latest user request.\n\n"
        "## Memory Context\nAll is well.\n\n## Memories\n- Ann likes tea\n\n"
        "[user]\nAnn: hello\n\n[assistant]\nhi\n\n[user]\nAnn: again\n\n");
  CHECK(asked.inputs.at("messages") ==
        Json::parse(R"([{"role":"user","author":"Ann","content":"hello"},
                        {"role":"assistant","author":"agent","content":"hi"},
                        {"role":"user","author":"Ann","content":"again"}])"));
  CHECK(asked.inputs.at("channelId") == "general");
  CHECK(asked.inputs.at("cwd") == "/srv/general");
  CHECK(asked.inputs.at("trigger").at("msgId") == "m2");
  CHECK(asked.inputs.at("tokenBudget") == 1000);
  CHECK(asked.inputs.at("bulletin") == "All is well.");
  CHECK(asked.inputs.at("memories").size() == 1);
  CHECK_FALSE(asked.inputs.contains("sessionId"));
  CHECK(asked.definition.at("outputSchema") == "reprise:model-result");
  CHECK(asked.options.at("timeoutMs") == 3'600'000);
  CHECK(asked.options.at("timeoutFrom") == "claim");
}

TEST_CASE("a recall that fails is taken as none") {
  TestChannel channel;
  channel.recalled = nullptr;
  channel.say("m1", "hello");
  const auto asked = channel.asked("context:r1");
  CHECK(asked.inputs.at("query") == "hello");
  channel.fail(asked.effect, {{"name", "Error"}, {"message", "no index"}});
  CHECK_FALSE(channel.asked("reply:r1").inputs.contains("memories"));
}

TEST_CASE("what is delivered comes in one order: session, turns, reply, usage, processed, status") {
  TestChannel channel;
  channel.say("m1", "hello");
  channel.news();
  channel.resolve(channel.asked("reply:r1").effect,
                  {{"text", "done"},
                   {"sessionId", "s1"},
                   {"model", "small"},
                   {"usage", {{"promptTokens", 10}, {"completionTokens", 2}}},
                   {"turns",
                    {{{"kind", "thinking"}, {"text", "hm"}},
                     {{"kind", "tool_use"}, {"tool", "ls"}, {"id", "t1"}},
                     {{"kind", "message"}, {"text", ""}},
                     {{"kind", "message"}, {"text", "working"}}}}});
  CHECK(channel.news() ==
        "session.updated message.created message.created tool.use message.created message.created "
        "usage.counted messages.processed agent.status");
  const auto rows = channel.events("message.created");
  CHECK(rows.at(2).payload.at("kind") == "tool_use");
  CHECK(rows.at(2).payload.at("toolUseId") == "t1");
  CHECK(rows.back().payload.at("replyTo") == "m1");
  CHECK(rows.back().payload.at("role") == "assistant");
  const auto status = channel.events("agent.status").back().payload;
  CHECK(status.at("state") == "completed");
  CHECK(status.at("model") == "small");
  CHECK(status.at("trigger") == "hello");
}

TEST_CASE("a reply that was streamed last is not written again") {
  TestChannel channel;
  channel.say("m1", "hello");
  channel.resolve(channel.asked("reply:r1").effect,
                  {{"text", "hi"}, {"turns", {{{"kind", "message"}, {"text", "hi"}}}}});
  CHECK(channel.events("message.created").size() == 2);
  CHECK(channel.events("agent.status").back().payload.at("duplicate") == true);
}

TEST_CASE("an empty reply without turns is no duplicate: the channel is told") {
  TestChannel channel;
  channel.say("m1", "hello");
  channel.resolve(channel.asked("reply:r1").effect, {{"text", ""}});
  CHECK(channel.events("message.created").back().payload.at("content") ==
        "The agent gave an empty reply.");
  const auto status = channel.events("agent.status").back().payload;
  CHECK_FALSE(status.contains("duplicate"));
  CHECK(status.at("delivered") == false);
}

TEST_CASE("a reply that an endpoint cut off is followed by a row that says so") {
  TestChannel channel;
  channel.say("m1", "hello");
  const auto last = [&](size_t back) {
    const auto rows = channel.events("message.created");
    return rows.at(rows.size() - back).payload.at("content").get<std::string>();
  };
  channel.resolve(channel.asked("reply:r1").effect,
                  {{"text", "First, you"}, {"finishReason", "length"}});
  CHECK(last(2) == "First, you");
  CHECK(last(1) == "The reply was cut off: the model's token limit was reached.");
  CHECK(channel.events("agent.status").back().payload.at("state") == "completed");
  channel.say("m2", "again");
  channel.resolve(channel.asked("reply:r2").effect, {{"text", ""}, {"finishReason", "length"}});
  CHECK(last(1) == "The agent gave an empty reply: the model's token limit was reached.");
}

TEST_CASE("an error becomes a message, and the session stays as it is") {
  TestChannel channel;
  channel.say("m1", "hello");
  channel.fail(channel.asked("reply:r1").effect, {{"name", "Down"}, {"message", "no network"}});
  CHECK(channel.events("message.created").back().payload.at("content") ==
        "agent error: no network");
  CHECK(channel.events("messages.processed").back().payload.at("cause") == "error");
  CHECK(channel.events("agent.status").back().payload.at("state") == "error");
  CHECK(channel.events("session.updated").empty());
  CHECK(channel.open().empty());
}

TEST_CASE("with a session an error is followed by one attempt with the prompt alone") {
  TestChannel channel;
  channel.say("m1", "hello");
  channel.resolve(channel.asked("reply:r1").effect, {{"text", "hi"}, {"sessionId", "s1"}});
  channel.say("m2", "again");
  channel.fail(channel.asked("reply:r2").effect, {{"name", "Odd"}, {"message", "first"}});
  const auto asked = channel.asked("reply:r2:2");
  CHECK(asked.inputs.at("prompt") == "Ann: again");
  CHECK(asked.inputs.at("sessionId") == "s1");
  SECTION("which may succeed") {
    channel.resolve(asked.effect, kHi);
    CHECK(channel.events("agent.status").back().payload.at("state") == "completed");
  }
  SECTION("or fail, and then the first error is told") {
    channel.fail(asked.effect, {{"name", "Odd"}, {"message", "second"}});
    CHECK(channel.events("agent.status").back().payload.at("error").at("message") == "first");
  }
  CHECK(channel.open().empty());
}

TEST_CASE("what was streamed is not done a second time") {
  TestChannel channel;
  channel.say("m1", "hello");
  channel.resolve(channel.asked("reply:r1").effect, {{"text", "hi"}, {"sessionId", "s1"}});
  channel.say("m2", "write it");
  channel.fail(channel.asked("reply:r2").effect,
               {{"name", "Odd"},
                {"message", "broke"},
                {"data", {{"turns", {{{"kind", "message"}, {"text", "I wrote half"}}}}}}});
  CHECK(channel.open().empty());
  const auto rows = channel.events("message.created");
  CHECK(rows.at(rows.size() - 2).payload.at("content") == "I wrote half");
}

TEST_CASE("a passed deadline ends the run as a timeout, and the queue goes on") {
  TestChannel channel;
  channel.say("m1", "hello");
  channel.say("m2", "next");
  channel.fail(channel.asked("reply:r1").effect,
               {{"name", "TimeoutError"}, {"message", "no result within 3600000 ms"}});
  CHECK(channel.events("agent.status").at(1).payload.at("state") == "timeout");
  CHECK(channel.events("messages.processed").back().payload.at("cause") == "stale");
  CHECK(channel.has("reply:r2"));
}

TEST_CASE("a run that is stopped gives up its effect, whatever that is") {
  TestChannel channel;
  SECTION("while it recalls") { channel.recalled = nullptr; }
  SECTION("while the model works") {}
  channel.say("m1", "hello");
  const auto effect = channel.open().begin()->first;
  channel.signal("channel.stop", {{"by", "ann"}});
  CHECK(channel.withdrawn() == std::vector<uint64_t>{effect});
  CHECK(channel.events("agent.status").back().payload.at("state") == "stopped");
  CHECK(channel.events("messages.processed").back().payload.at("cause") == "stopped");
  CHECK(channel.open().empty());
}

TEST_CASE("the effect may be cancelled from outside, and the channel says so") {
  TestChannel channel;
  channel.say("m1", "hello");
  channel.cancel(channel.asked("reply:r1").effect);
  CHECK(channel.events("message.created").back().payload.at("content") == "Run stopped.");
  CHECK(channel.events("agent.status").back().payload.at("state") == "stopped");
}

TEST_CASE("a message that waits is in no prompt but its own, and replies are in the next one") {
  TestChannel channel;
  channel.say("m1", "one");
  channel.say("m2", "two");
  channel.say("m3", "three");
  CHECK(channel.asked("reply:r1").inputs.at("messages").size() == 1);
  channel.resolve(channel.asked("reply:r1").effect, {{"text", "first reply"}});
  const auto messages = channel.asked("reply:r2").inputs.at("messages");
  REQUIRE(messages.size() == 3);
  CHECK(messages.at(1).at("content") == "first reply");
  CHECK(messages.at(2).at("content") == "two");
}

TEST_CASE("commands of the agent are passed on without the author's name") {
  TestChannel channel;
  channel.say("m1", "/compact please");
  CHECK(channel.asked("reply:r1")
            .inputs.at("prompt")
            .get<std::string>()
            .ends_with("[user]\n/compact please\n\n"));
}

}  // namespace
}  // namespace reprise::channel
