#include "processes/channel/conclusion.h"

#include <catch2/catch.hpp>

namespace reprise::channel {
namespace {

Json sound() {
  return {{"summary", "yes"}, {"usage", {{"promptTokens", 3}, {"completionTokens", 4}}}};
}

std::string code_with(const Json& change) {
  auto result = sound();
  result.merge_patch(change);
  const auto fault = conclusion_fault(result);
  return fault ? fault->code : "";
}

TEST_CASE("a conclusion is judged with the listed codes") {
  CHECK(code_with(Json::object()).empty());
  CHECK(code_with({{"summary", " \n "}}) == "empty_summary");
  CHECK(code_with({{"summary", 7}}) == "empty_summary");
  CHECK(code_with({{"usage", {{"promptTokens", -1}}}}) == "negative_prompt_tokens");
  CHECK(code_with({{"usage", {{"completionTokens", -1}}}}) == "negative_completion_tokens");
  CHECK(code_with({{"usage", {{"promptTokens", 1'000'000}}}}).empty());
  CHECK(code_with({{"usage", {{"promptTokens", 1'000'001}}}}) == "excessive_prompt_tokens");
  CHECK(code_with({{"usage", {{"completionTokens", 1e300}}}}) == "excessive_completion_tokens");
  CHECK(code_with({{"artifactRefs", {"a1", "a1"}}}) == "duplicate_artifact_ref");
  CHECK(code_with({{"memoryRefs", {"m1", {{"id", "m1"}}}}}) == "duplicate_memory_ref");
  CHECK(code_with({{"artifactRefs", {"a1", 2}}}) == "invalid_ref");
  CHECK(code_with({{"memoryRefs", "m1 m2"}}) == "invalid_ref");
}

TEST_CASE("of several faults the first of the list is named") {
  Json all = {{"summary", ""},
              {"usage", {{"promptTokens", -1}, {"completionTokens", -1}}},
              {"artifactRefs", {"a", "a"}},
              {"memoryRefs", {"m", "m"}}};
  CHECK(code_with(all) == "empty_summary");
  all["summary"] = "x";
  CHECK(code_with(all) == "negative_prompt_tokens");
  all["usage"]["promptTokens"] = 2'000'000;
  CHECK(code_with(all) == "negative_completion_tokens");
  all["usage"]["completionTokens"] = 2'000'000;
  CHECK(code_with(all) == "excessive_prompt_tokens");
  all["usage"]["promptTokens"] = 2;
  CHECK(code_with(all) == "excessive_completion_tokens");
  all["usage"]["completionTokens"] = 2;
  CHECK(code_with(all) == "duplicate_artifact_ref");
  all["artifactRefs"] = {"a"};
  CHECK(code_with(all) == "duplicate_memory_ref");
}

TEST_CASE("a conclusion says what was told and invents no tokens") {
  const auto told = parse_conclusion(
      {{"summary", "  so be it\n"}, {"artifactRefs", {"a1"}}, {"memoryRefs", {{{"id", "m1"}}}}});
  CHECK(told.summary == "so be it");
  CHECK(told.artifact_refs == std::vector<std::string>{"a1"});
  CHECK(told.memory_refs == std::vector<std::string>{"m1"});
  CHECK(told.token_usage.is_null());
  CHECK(parse_conclusion(sound()).token_usage ==
        Json{{"promptTokens", 3}, {"completionTokens", 4}});
}

}  // namespace
}  // namespace reprise::channel
