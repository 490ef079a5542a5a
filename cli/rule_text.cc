#include "cli/rule_text.h"

namespace reprise {

std::string rule_text(const Document& rule) {
  std::string text;
  for (const auto& [name, pattern] : rule.items()) {
    if (name == "executor") continue;
    text += (text.empty() ? "" : " ") + name + "=" + pattern.get<std::string>();
  }
  return text.empty() ? "everything" : text;
}

}  // namespace reprise
