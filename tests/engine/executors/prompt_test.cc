#include "engine/executors/prompt.h"

#include <catch2/catch.hpp>

#include "engine/executors/chat_reply.h"
#include "engine/executors/json_fields.h"
#include "engine/executors/presets.h"
#include "engine/executors/reading.h"
#include "tests/engine/run_fixture.h"

using namespace reprise;
using reprise::test::code_of;

namespace {

std::string prompt_of(const std::string& definition, const std::string& inputs = "{}") {
  Work work;
  work.definition = definition;
  work.inputs = inputs;
  work.label = "the label";
  return prompt_text(work);
}

std::string read(const std::string& executor, const std::string& printed,
                 const std::string& definition = "{}") {
  const auto outcome = read_output(with_preset(executor), printed, definition);
  return (outcome.ok ? "ok " : "error ") + outcome.value +
         (outcome.metadata.empty() ? "" : " " + outcome.metadata);
}

constexpr const char* kSchema = R"({"agent":{"outputSchema":{"type":"object"}}})";

}  // namespace

TEST_CASE("A prompt that is text stays as it is") {
  CHECK(prompt_of(R"({"agent":{"prompt":"Do it.\nNow."}})") == "Do it.\nNow.\n");
}

TEST_CASE("The parts of a prompt become paragraphs in their order") {
  CHECK(prompt_of(
            R"({"agent":{"prompt":{"outputFormat":"JSON","instructions":["first","second"],)"
            R"("role":"a reviewer","task":"Review.","context":{"b":1,"a":[2]},"tone":"dry"}}})") ==
        "# Role\n\na reviewer\n\n# Task\n\nReview.\n\n# Context\n\n{\n  \"b\": 1,\n  \"a\": [\n    "
        "2\n  ]\n}\n\n# Instructions\n\n1. first\n2. second\n\n# Output format\n\nJSON\n\n# "
        "tone\n\ndry\n");
}

TEST_CASE("A schema asks for JSON") {
  const auto prompt =
      prompt_of(R"({"agent":{"prompt":"Do it."},"outputSchema":{"type":"object"}})");
  CHECK(prompt.find("Do it.\n\nAnswer with one JSON value") == 0);
  CHECK(prompt.ends_with("{\"type\":\"object\"}\n"));
}

TEST_CASE("A task without a prompt is told by title and inputs") {
  const auto prompt = prompt_of(R"({"title":"Build","description":"all of it"})", R"({"x":1})");
  CHECK(prompt ==
        "# Task\n\nBuild\n\n# Description\n\nall of it\n\n# Inputs\n\n{\n  \"x\": 1\n}\n");
  CHECK(
      prompt_of(R"({"skill":{"name":"pdf"}})").starts_with("Use the skill pdf.\n\n# Task\n\nthe "));
}

TEST_CASE("JSON is found in answers") {
  CHECK(json_in_text(" {\"a\":1}\n", false) == "{\"a\":1}");
  CHECK(json_in_text("```json\n{\"a\":1}\n```", false) == "{\"a\":1}");
  CHECK(json_in_text("Here:\n```\n[1]\n```\nDone.", true) == "[1]");
  CHECK_FALSE(json_in_text("Here:\n```\n[1]\n```\nDone.", false));
  CHECK(json_in_text("first ```json\n{\"a\":1}\n``` then ```json\n{\"a\":2}\n```", true) ==
        "{\"a\":2}");
  CHECK(json_in_text("The answer is {\"a\":{\"b\":1}} as asked.", true) == "{\"a\":{\"b\":1}}");
  CHECK_FALSE(json_in_text("The answer is {a}.", true));
  CHECK_FALSE(json_in_text("", true));
  CHECK_FALSE(json_in_text("```", true));
}

TEST_CASE("An answer is text, unless it is JSON or JSON was asked for") {
  CHECK(answer_outcome("fine", "{}").value == "\"fine\"");
  CHECK(answer_outcome("42", "{}").value == "\"42\"");
  CHECK(answer_outcome("{\"a\":1}", "{}").value == "{\"a\":1}");
  CHECK(answer_outcome("So: {\"a\":1}", kSchema).value == "{\"a\":1}");
  CHECK_FALSE(answer_outcome("fine", kSchema).ok);
}

TEST_CASE("Claude Code's answer is read") {
  const std::string executor = R"({"preset":"claude-code"})";
  CHECK(read(executor, R"({"type":"result","subtype":"success","is_error":false,"result":"done",)"
                       R"("session_id":"s1","total_cost_usd":0.25,"usage":{"input_tokens":3}})") ==
        R"(ok "done" {"session":"s1","costUsd":0.25,"usage":{"input_tokens":3}})");
  CHECK(read(executor,
             R"({"type":"result","is_error":true,"result":"no credit","session_id":"s"})") ==
        R"(error {"name":"AgentError","message":"no credit"} {"session":"s"})");
  CHECK(read(executor, "Segmentation fault").find("OutputInvalid") != std::string::npos);
}

TEST_CASE("Codex' events are read") {
  const std::string executor = R"({"preset":"codex"})";
  const std::string begin =
      "WARNING: something\n{\"type\":\"thread.started\",\"thread_id\":\"th\"}\n"
      "{\"type\":\"item.completed\",\"item\":{\"type\":\"reasoning\",\"text\":\"hm\"}}\n";
  CHECK(read(executor, begin + "{\"type\":\"item.completed\",\"item\":{\"type\":\"agent_message\","
                               "\"text\":\"first\"}}\n"
                               "{\"type\":\"item.completed\",\"item\":{\"type\":\"agent_message\","
                               "\"text\":\"last\"}}\n"
                               "{\"type\":\"turn.completed\",\"usage\":{\"output_tokens\":5}}\n") ==
        R"(ok "last" {"session":"th","usage":{"output_tokens":5}})");
  CHECK(read(executor, begin + R"({"type":"turn.failed","error":{"message":"limit"}})") ==
        R"(error {"name":"AgentError","message":"limit"} {"session":"th"})");
  CHECK(read(executor, begin).find("OutputInvalid") != std::string::npos);
}

TEST_CASE("Gemini's answer is read, and its error") {
  const std::string executor = R"({"preset":"gemini"})";
  CHECK(read(executor, R"({"response":"ok","stats":{"n":1}})") == R"(ok "ok" {"usage":{"n":1}})");
  CHECK(read(executor, R"({"response":null,"error":{"type":"x","message":"quota"}})") ==
        R"(error {"name":"AgentError","message":"quota"})");
}

TEST_CASE("Without a reading all of the output is the result") {
  CHECK(read("{}", R"({"a":1})") == R"(ok {"a":1})");
  CHECK(read("{}", "null") == "ok null");
  CHECK(read("{}", "progress\n{\"a\":1}\n") == R"(ok {"a":1})");
  CHECK(read(R"({"output":"text"})", "\n some text \n") == R"(ok "some text")");
  CHECK(read(R"({"output":"text"})", "") == R"(ok "")");
}

TEST_CASE("Output that is no result is told by how it begins") {
  CHECK(read("{}", " \n").find("the program printed nothing") != std::string::npos);
  CHECK(read("{}", "\n Segmentation fault\n").find("it begins with: Segmentation fault\"") !=
        std::string::npos);
  CHECK(read("{}", "one\ntwo").find("it begins with: one ...\"") != std::string::npos);
  CHECK(read("{}", std::string(1000, 'x')).size() < 250);
}

TEST_CASE("A result is what was printed, digit by digit") {
  CHECK(read("{}", R"({"n":12345678901234567890123})") == R"(ok {"n":12345678901234567890123})");
  CHECK(read(R"({"read":{"result":"/a/1"}})", R"({"a":[0,{"x":1.0,"x":2}]})") ==
        R"(ok {"x":1.0,"x":2})");
  CHECK(read(R"({"read":{"result":"/~1~0/0"}})", R"({"/~":[1e2],"/":0})") == "ok 1e2");
  for (const char* nowhere : {"/a/2", "/a/-", "/a/01", "/a/x", "/b", "/a/0/0", "a", "/~2"}) {
    const auto executor = R"({"read":{"result":")" + std::string(nowhere) + "\"}}";
    CHECK(read(executor, R"({"a":[0,1]})").find("OutputInvalid") != std::string::npos);
  }
}

TEST_CASE("What is nested too deep for a walk is no JSON") {
  const auto deep = std::string(500'000, '[') + std::string(500'000, ']');
  CHECK(read("{}", deep).find("the program's output is no JSON") != std::string::npos);
  CHECK(prompt_of(R"({"prompt":)" + deep + "}", deep) == prompt_of("{}", "{"));
  CHECK(parse_json(deep).is_discarded());
}

TEST_CASE("A number that no integer holds counts as absent") {
  const auto json = parse_json(
      R"({"a":18446744073709551615,"b":1e300,"c":-1e300,"d":7.9,"e":-3,"f":9223372036854775807})");
  CHECK(number_field(json, "a", 5) == 5);
  CHECK(number_field(json, "b", 5) == 5);
  CHECK(number_field(json, "c", 5) == 5);
  CHECK(number_field(json, "d", 5) == 7);
  CHECK(number_field(json, "e", 5) == -3);
  CHECK(number_field(json, "f", 5) == INT64_MAX);
}

TEST_CASE("Counts of tokens that cannot be are none") {
  ChatReply reply;
  reply.take(R"({"choices":[],"usage":{"prompt_tokens":9223372036854775807,"completion_tokens":5,)"
             R"("prompt_tokens_details":{"cached_tokens":-1}}})");
  CHECK(reply.usage().json() == R"({"promptTokens":0,"completionTokens":5,"totalTokens":5})");
}

TEST_CASE("An entry's own keys are stronger than its preset's") {
  const auto merged = with_preset(R"({"preset":"codex","command":["my-codex"]})");
  CHECK(merged.find(R"("command":["my-codex"])") != std::string::npos);
  CHECK(merged.find("thread.started") != std::string::npos);
  CHECK(code_of([] { with_preset(R"({"preset":"nobody"})"); }) == "INVALID_EXECUTOR");
}
