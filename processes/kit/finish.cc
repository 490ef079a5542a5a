#include "processes/kit/finish.h"

namespace reprise::kit {

std::string cut_reason(const Json& result) {
  const auto reason = text_of(result, "finishReason");
  if (reason == "length") return "the model's token limit was reached";
  return reason == "content_filter" ? "a content filter stopped the model" : "";
}

std::string with_cut_reason(const Json& result, const std::string& text) {
  const auto reason = cut_reason(result);
  return reason.empty() || text.empty() ? text : "[Cut off: " + reason + "]\n" + text;
}

}  // namespace reprise::kit
