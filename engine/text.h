// Small things that are done with texts and their lists, and with texts inside of JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace reprise {

/// Without the blanks, tabs and line ends around it.
inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const auto begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

inline std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string text;
  for (const auto& word : words) {
    if (!text.empty()) text += between;
    text += word;
  }
  return text;
}

/// The member of a JSON object; empty when it is absent or no text.
template <typename Json>
std::string text_of(const Json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_string()) return {};
  return found->template get<std::string>();
}

}  // namespace reprise
