// The configuration of an endpoint: presets, and what is refused.
#include "engine/executors/openai_config.h"

#include <catch2/catch.hpp>

#include "engine/executors/work_failed.h"

namespace reprise::test {
namespace {

OpenaiConfig parse(const std::string& json) {
  return parse_openai_config({"chat", "openai", json, "config.json"});
}

/// What is wrong with it, or empty.
std::string config_fault(const std::string& json) {
  try {
    parse(json);
  } catch (const WorkFailed& failed) {
    CHECK(failed.name() == "ConfigInvalid");
    CHECK(failed.is_final());
    return failed.message();
  }
  return {};
}

TEST_CASE("A preset says where and how; what is written besides replaces it") {
  const auto ollama = parse(R"({"type":"openai","preset":"ollama","model":"m"})");
  CHECK(ollama.url == "http://127.0.0.1:11434/v1/chat/completions");
  CHECK_FALSE(ollama.key);
  CHECK(ollama.slots == 1);
  CHECK(ollama.structured == StructuredOutput::kJsonSchema);
  const auto hosted = parse(R"({"preset":"openai","apiKey":{"file":"/k"},"slots":3})");
  CHECK(hosted.key->kind == SecretSource::Kind::kFile);
  CHECK(hosted.slots == 3);
  const auto plain = parse(R"({"url":"https://h/v1","idleTimeout":"7s"})");
  CHECK(plain.structured == StructuredOutput::kPrompt);
  CHECK(plain.idle_timeout_ms == 7000);
  CHECK(plain.connect_timeout_ms == 10'000);
  CHECK(plain.verify_tls);
}

TEST_CASE("The path of the protocol is added to the url once") {
  const auto url = [](const std::string& text) { return parse(R"({"url":")" + text + "\"}").url; };
  CHECK(url("https://h/v1/") == "https://h/v1/chat/completions");
  CHECK(url("https://h/v1/chat/completions") == "https://h/v1/chat/completions");
  CHECK(url("https://h/v1?version=2") == "https://h/v1/chat/completions?version=2");
}

TEST_CASE("A key travels safely or not at all") {
  const std::string key = R"(,"apiKey":{"env":"K"}})";
  CHECK(config_fault(R"({"url":"http://10.0.0.9/v1")" + key).find("plain http") !=
        std::string::npos);
  CHECK_FALSE(config_fault(R"({"url":"http://127.0.0.1.example.org/v1")" + key).empty());
  CHECK(config_fault(R"({"url":"http://10.0.0.9/v1","plainHttp":true)" + key).empty());
  CHECK(config_fault(R"({"url":"http://127.0.0.1:8080/v1")" + key).empty());
  CHECK(config_fault(R"({"url":"http://[::1]:8080/v1")" + key).empty());
  CHECK(config_fault(R"({"url":"https://u:p@h/v1"})").find("password") != std::string::npos);
  CHECK(config_fault(R"({"url":"https://h/v1","verifyTls":false})").find("caFile") !=
        std::string::npos);
}

TEST_CASE("What cannot be meant is refused with the executor and its file") {
  for (const std::string json :
       {R"({})", R"({"url":"ftp://h"})", R"({"preset":"no"})", R"({"url":7})",
        R"({"url":"https://h","structured":"x"})", R"({"url":"https://h","apiKey":"sk-1"})",
        R"({"url":"https://h","apiKey":{"env":"A","file":"B"}})",
        R"({"url":"https://h","apiKey":{"command":[]}})", R"({"url":"https://h","backoff":"1"})",
        R"({"url":"https://h","idleTimeout":"0s"})",
        R"({"url":"https://h","body":{"stream":false}})", R"({"url":"https://h","stream":1})"}) {
    INFO(json);
    CHECK(config_fault(json).find("the executor chat (config.json) ") == 0);
  }
}

}  // namespace
}  // namespace reprise::test
