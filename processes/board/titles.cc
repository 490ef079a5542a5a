#include "processes/board/titles.h"

#include "unicode/unicode.h"

namespace reprise::board {

namespace {

constexpr size_t kShortestTitle = 6;

}  // namespace

std::string collapsed(std::string_view text) {
  std::string one_line;
  for (auto rest = unicode::trimmed(text); !rest.empty();) {
    const auto character = unicode::first(rest, 1);
    rest.remove_prefix(character.size());
    const bool is_space = unicode::trimmed(character).empty();
    if (!is_space) {
      one_line += character;
    } else if (!one_line.ends_with(' ')) {
      one_line += ' ';
    }
  }
  return one_line;
}

std::string normal_title(std::string_view title) { return unicode::fold(collapsed(title)); }

std::string title_of(std::string_view todo) {
  const auto sentence = todo.substr(0, todo.find_first_of("\n.;:"));
  const bool tells = unicode::count(unicode::trimmed(sentence)) >= kShortestTitle;
  const auto title = collapsed(tells ? sentence : todo);
  return std::string(unicode::trimmed(unicode::first(title, kLongestTitle)));
}

}  // namespace reprise::board
