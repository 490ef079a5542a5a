// What a branch came to, judged before anything of it is kept.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "processes/channel/json.h"

namespace reprise::channel {

struct Conclusion {
  std::string summary;  ///< trimmed
  std::vector<std::string> artifact_refs;
  std::vector<std::string> memory_refs;
  Json token_usage;  ///< {promptTokens, completionTokens}; null when the result does not tell it
};

struct Fault {
  std::string code;     ///< "empty_summary"
  std::string message;  ///< for people
};

/// What is wrong with the tokens that a result tells: negative_prompt_tokens,
/// negative_completion_tokens, excessive_prompt_tokens, excessive_completion_tokens (above
/// 1,000,000), in this order. Telling none is no fault.
std::optional<Fault> usage_fault(const Json& result);

/// The first fault of the result of a branch: empty_summary, those of usage_fault,
/// duplicate_artifact_ref, duplicate_memory_ref, invalid_ref (neither an id nor {"id"}).
std::optional<Fault> conclusion_fault(const Json& result);

/// Of a result without a fault.
Conclusion parse_conclusion(const Json& result);
Json to_json(const Conclusion& conclusion);

}  // namespace reprise::channel
