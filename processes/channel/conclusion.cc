#include "processes/channel/conclusion.h"

#include <algorithm>

#include "processes/channel/usage.h"
#include "processes/kit/finish.h"
#include "unicode/unicode.h"

namespace reprise::channel {

namespace {

constexpr double kMostTokensOfThought = 1'000'000;

/// A reference is an id, or an object that has one.
std::string ref_of(const Json& item) {
  return item.is_string() ? item.get<std::string>() : text_of(item, "id");
}

std::vector<std::string> refs_of(const Json& result, const char* member) {
  std::vector<std::string> refs;
  for (const auto& item : member_of(result, member)) refs.push_back(ref_of(item));
  return refs;
}

bool has_duplicates(std::vector<std::string> refs) {
  std::ranges::sort(refs);
  return std::ranges::adjacent_find(refs) != refs.end();
}

/// Not a list of references; one that is not there is an empty one.
bool is_malformed(const Json& result, const char* member) {
  const auto& refs = member_of(result, member);
  if (refs.is_null()) return false;
  return !refs.is_array() ||
         std::ranges::any_of(refs, [](const Json& item) { return ref_of(item).empty(); });
}

}  // namespace

std::optional<Fault> usage_fault(const Json& result) {
  const auto& usage = member_of(result, "usage");
  const auto prompt = real_of(usage, "promptTokens");
  const auto completion = real_of(usage, "completionTokens");
  if (prompt < 0) return Fault{"negative_prompt_tokens", "the prompt tokens are negative"};
  if (completion < 0) {
    return Fault{"negative_completion_tokens", "the completion tokens are negative"};
  }
  if (prompt > kMostTokensOfThought) {
    return Fault{"excessive_prompt_tokens", "the prompt tokens are more than 1,000,000"};
  }
  if (completion > kMostTokensOfThought) {
    return Fault{"excessive_completion_tokens", "the completion tokens are more than 1,000,000"};
  }
  return std::nullopt;
}

std::optional<Fault> conclusion_fault(const Json& result) {
  const auto summary = text_of(result, "summary");
  if (unicode::trimmed(summary).empty()) return Fault{"empty_summary", "the summary is empty"};
  if (auto fault = usage_fault(result)) return fault;
  if (has_duplicates(refs_of(result, "artifactRefs"))) {
    return Fault{"duplicate_artifact_ref", "an artifact is referred to twice"};
  }
  if (has_duplicates(refs_of(result, "memoryRefs"))) {
    return Fault{"duplicate_memory_ref", "a memory is referred to twice"};
  }
  if (is_malformed(result, "artifactRefs") || is_malformed(result, "memoryRefs")) {
    return Fault{"invalid_ref", "artifactRefs and memoryRefs are lists of ids"};
  }
  return std::nullopt;
}

Conclusion parse_conclusion(const Json& result) {
  const auto summary = text_of(result, "summary");
  Conclusion conclusion;
  conclusion.summary = kit::with_cut_reason(result, std::string(unicode::trimmed(summary)));
  conclusion.artifact_refs = refs_of(result, "artifactRefs");
  conclusion.memory_refs = refs_of(result, "memoryRefs");
  if (tells_usage(result)) {
    const auto& usage = result.at("usage");
    conclusion.token_usage = {{"promptTokens", usage.at("promptTokens")},
                              {"completionTokens", usage.at("completionTokens")}};
  }
  return conclusion;
}

Json to_json(const Conclusion& conclusion) {
  return {{"summary", conclusion.summary},
          {"artifactRefs", conclusion.artifact_refs},
          {"memoryRefs", conclusion.memory_refs},
          {"tokenUsage", conclusion.token_usage}};
}

}  // namespace reprise::channel
