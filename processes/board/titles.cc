#include "processes/board/titles.h"

#include "unicode/unicode.h"

namespace reprise::board {

namespace {

constexpr size_t kShortestTitle = 6;

}  // namespace

std::string normal_title(std::string_view title) {
  return unicode::fold(unicode::collapsed(title));
}

std::string title_of(std::string_view todo) {
  const auto sentence = todo.substr(0, todo.find_first_of("\n.;:"));
  const bool tells = unicode::count(unicode::trimmed(sentence)) >= kShortestTitle;
  const auto title = unicode::collapsed(tells ? sentence : todo);
  return std::string(unicode::trimmed(unicode::first(title, kLongestTitle)));
}

}  // namespace reprise::board
