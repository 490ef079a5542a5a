// Answers put together from what endpoints send, in the forms that they have.
#include "engine/executors/chat_reply.h"

#include <catch2/catch.hpp>

#include "engine/executors/work_failed.h"

namespace reprise::test {
namespace {

std::string choice(const std::string& inner) { return R"({"choices":[{)" + inner + "}]}"; }
std::string delta(const std::string& inner) { return choice(R"("delta":{)" + inner + "}"); }

std::string reply_fault(const std::string& document) {
  try {
    ChatReply().take(document);
  } catch (const WorkFailed& failed) {
    return failed.name();
  }
  return {};
}

TEST_CASE("Chunks add up to an answer") {
  ChatReply reply;
  CHECK(reply.take(delta(R"("role":"assistant","content":"")")).empty());
  CHECK(reply.take(delta(R"("content":"Hel")")) == "Hel");
  CHECK(reply.take(delta(R"("content":"lo")")) == "lo");
  CHECK_FALSE(reply.finished());
  CHECK(reply.take(choice(R"("delta":{},"finish_reason":"stop")")).empty());
  CHECK(reply.finished());
  reply.take(R"({"id":"c-1","model":"m-1","choices":[],
                 "usage":{"prompt_tokens":5,"completion_tokens":2,"total_tokens":7,
                          "prompt_tokens_details":{"cached_tokens":4}}})");
  CHECK(reply.json("asked", reply.usage()) ==
        R"({"text":"Hello","model":"m-1","finishReason":"stop",)"
        R"("usage":{"promptTokens":5,"completionTokens":2,"totalTokens":7,"cachedTokens":4}})");
}

TEST_CASE("A whole answer, also one in parts") {
  ChatReply reply;
  CHECK(reply.take(choice(R"("message":{"content":[{"type":"text","text":"a"},{"type":"image"},
                             {"type":"text","text":"b"}]},"finish_reason":"length")")) == "ab");
  CHECK(reply.json("asked", {}) == R"({"text":"ab","model":"asked","finishReason":"length"})");
}

TEST_CASE("Tool calls are put together and returned") {
  ChatReply reply;
  reply.take(delta(R"("content":null,"tool_calls":[{"index":0,"id":"a","type":"function",
                      "function":{"name":"look","arguments":""}}])"));
  reply.take(delta(R"("tool_calls":[{"index":1,"id":"b","function":{"name":"go"}}])"));
  reply.take(delta(R"("tool_calls":[{"index":0,"id":"a","function":{"arguments":"{\"x\""}}])"));
  reply.take(delta(R"("tool_calls":[{"index":0,"function":{"arguments":":1}"}}])"));
  CHECK(reply.json("m", {}) ==
        R"({"text":"","model":"m","finishReason":"","toolCalls":[)"
        R"({"id":"a","type":"function","function":{"name":"look","arguments":"{\"x\":1}"}},)"
        R"({"id":"b","type":"function","function":{"name":"go"}}]})");
  CHECK(reply_fault(delta(R"("tool_calls":[{"index":123456789}])")) == "ReplyInvalid");
}

TEST_CASE("Reasoning and refusals are kept apart from the text") {
  ChatReply reply;
  CHECK(reply.take(delta(R"("reasoning_content":"hm")")).empty());
  CHECK(reply.take(delta(R"("reasoning":"m","content":"x","refusal":"no")")) == "x");
  CHECK(reply.json("m", {}) == R"({"text":"x","model":"m","finishReason":"",)"
                               R"("reasoning":"hmm","refusal":"no"})");
}

TEST_CASE("Members of another type count as absent") {
  for (const std::string document :
       {R"({})", R"({"choices":null})", R"({"choices":[]})", R"({"choices":{}})",
        R"({"choices":[7]})", R"({"choices":[{"delta":null}]})", R"({"error":null})",
        R"({"choices":[{"delta":{"content":7,"tool_calls":{}}}],"usage":[],"id":{}})",
        R"({"choices":[{"message":{"content":{}},"finish_reason":1}]})",
        R"({"usage":{"prompt_tokens":-1}})"}) {
    INFO(document);
    ChatReply reply;
    CHECK(reply.take(document).empty());
    CHECK_FALSE(reply.finished());
    CHECK_FALSE(reply.usage().known());
    CHECK(reply.error().is_null());
  }
}

TEST_CASE("What is no JSON object is refused") {
  for (const auto* document : {"", "null", "[]", "7", "{", "{\"a\":1} x", "<html>", "\xff"}) {
    INFO(document);
    CHECK(reply_fault(document) == "ReplyInvalid");
  }
  CHECK(reply_fault(std::string(100'000, '[')) == "ReplyInvalid");
}

TEST_CASE("Bytes that are no UTF-8 become replacement characters") {
  ChatReply reply;
  CHECK(reply.take(delta("\"content\":\"a\xff\xc3z\"")) == "a\xef\xbf\xbd\xef\xbf\xbdz");
}

TEST_CASE("An error in place of a chunk") {
  ChatReply reply;
  reply.take(R"({"error":{"message":"overloaded"}})");
  CHECK(reply.error()["message"] == "overloaded");
  ChatReply bare;
  bare.take_error(R"({"message":"overloaded"})");
  CHECK(bare.error()["message"] == "overloaded");
}

}  // namespace
}  // namespace reprise::test
