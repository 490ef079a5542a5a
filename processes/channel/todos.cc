#include "processes/channel/todos.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "unicode/unicode.h"

namespace reprise::channel {

namespace {

constexpr size_t kShortest = 6;

/// How a line begins that says what to do.
struct Form {
  std::string_view begins;  ///< folded
  bool keeps_beginning = false;
};
constexpr std::array kForms = {
    Form{"- [ ] "},        Form{"* [ ] "},       Form{"todo:"},       Form{"todo "},
    Form{"сделай ", true}, Form{"нужно ", true}, Form{"надо ", true},
};

std::optional<std::string> todo_of(const std::string& line) {
  const auto folded = unicode::fold(line);
  const auto form =
      std::ranges::find_if(kForms, [&](const Form& it) { return folded.starts_with(it.begins); });
  if (form == kForms.end()) return std::nullopt;
  if (form->keeps_beginning) return line;
  return std::string(unicode::trimmed(std::string_view(line).substr(form->begins.size())));
}

}  // namespace

std::vector<std::string> extract_todos(std::string_view text) {
  std::vector<std::string> todos;
  std::set<std::string> seen;
  for (size_t from = 0; from <= text.size();) {
    const auto end = std::min(text.find('\n', from), text.size());
    auto todo = todo_of(unicode::collapsed(text.substr(from, end - from)));
    from = end + 1;
    if (!todo || unicode::count(*todo) < kShortest) continue;
    if (seen.insert(unicode::fold(*todo)).second) todos.push_back(std::move(*todo));
  }
  return todos;
}

}  // namespace reprise::channel
