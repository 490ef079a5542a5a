#include "processes/subconscious/intent.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "unicode/unicode.h"

namespace reprise::subconscious {

namespace {

/// At the beginning.
constexpr std::array<std::string_view, 13> kOrders = {
    "send",     "post",    "create", "delete", "remove",   "move",   "publish",
    "schedule", "forward", "reply",  "upload", "download", "message"};
/// At the beginning, with the word that follows.
constexpr std::array<std::array<std::string_view, 2>, 5> kPhrases = {
    {{"notify", "on"}, {"alert", "on"}, {"write", "to"}, {"update", "on"}, {"sync", "to"}}};
/// Behind "and" and "then": those that are no nouns.
constexpr std::array<std::string_view, 5> kVerbs = {"send", "create", "delete", "remove",
                                                    "publish"};

bool holds(std::span<const std::string_view> list, const std::string& word) {
  return std::ranges::find(list, word) != list.end();
}

}  // namespace

bool asks_for_action(std::string_view title) {
  auto words = unicode::words(title);
  if (!words.empty() && words.front() == "please") words.erase(words.begin());
  if (words.empty()) return false;
  if (holds(kOrders, words.front())) return true;
  for (const auto& [verb, particle] : kPhrases) {
    if (words.size() > 1 && words[0] == verb && words[1] == particle) return true;
  }
  for (size_t i = 1; i < words.size(); ++i) {
    const bool joins = words[i - 1] == "and" || words[i - 1] == "then";
    if (joins && holds(kVerbs, words[i])) return true;
  }
  return false;
}

}  // namespace reprise::subconscious
