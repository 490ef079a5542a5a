#include "processes/subconscious/trouble.h"

#include <algorithm>
#include <array>

#include "processes/subconscious/texts.h"
#include "unicode/unicode.h"

namespace reprise::subconscious {

using kit::text_of;

namespace {

/// As executors name what only a person can mend (docs/endpoints.md, docs/policy.md).
constexpr std::array<std::string_view, 9> kPermanent = {
    "KeyRefused",   "QuotaExceeded",      "NotFound",        "RequestRefused", "ExecutorError",
    "PolicyDenied", "SandboxUnavailable", "TaskUnsupported", "InvalidExecutor"};

constexpr size_t kMostErrorBytes = 1000;

/// Whole words: "429" in a longer number is none.
bool tells_of_rate_limit(const std::string& message) {
  const auto words = unicode::words(message);
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "429") return true;
    if (words[i] == "rate" && i + 1 < words.size() && words[i + 1].starts_with("limit")) {
      return true;
    }
  }
  return false;
}

}  // namespace

Trouble trouble_of(const kit::Json& error) {
  const auto name = text_of(error, "name");
  if (std::ranges::find(kPermanent, name) != kPermanent.end()) return Trouble::kPermanent;
  if (name == "RateLimited" || tells_of_rate_limit(text_of(error, "message"))) {
    return Trouble::kRateLimited;
  }
  return Trouble::kOther;
}

std::string error_text(const kit::Result& result) {
  if (result.cancelled) {
    const auto reason = text_of(result.value, "reason");
    return reason.empty() ? "cancelled" : "cancelled: " + shortened(reason, kMostErrorBytes);
  }
  const auto name = text_of(result.value, "name", "Error");
  const auto message = text_of(result.value, "message");
  return shortened(message.empty() ? name : name + ": " + message, kMostErrorBytes);
}

}  // namespace reprise::subconscious
