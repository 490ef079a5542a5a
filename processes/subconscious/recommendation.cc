#include "processes/subconscious/recommendation.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "unicode/unicode.h"

namespace reprise::subconscious {

namespace {

using unicode::trimmed;

constexpr std::string_view kWords = "recommended action";
constexpr std::string_view kEmphasis = "*_`\"";

bool drop_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text = trimmed(text.substr(prefix.size()));
  return true;
}

/// "2." or "2)".
bool drop_number(std::string_view& line) {
  const auto digits = line.find_first_not_of("0123456789");
  if (digits == 0 || digits == std::string_view::npos) return false;
  return (line[digits] == '.' || line[digits] == ')') &&
         drop_prefix(line, line.substr(0, digits + 1));
}

/// The marks of quotes, headings and items; those of emphasis stay.
void drop_marks(std::string_view& line) {
  while (drop_prefix(line, ">") || drop_prefix(line, "#") || drop_prefix(line, "- ") ||
         drop_prefix(line, "* ") || drop_prefix(line, "+ ") || drop_number(line)) {
  }
}

/// What follows on a line that begins a recommendation; nullopt: it begins none.
std::optional<std::string_view> begun_in(std::string_view line) {
  line = trimmed(line);
  drop_marks(line);
  const auto emphasis = line.substr(0, std::min(line.find_first_not_of(kEmphasis), line.size()));
  line.remove_prefix(emphasis.size());
  if (unicode::fold(line.substr(0, kWords.size())) != kWords) return std::nullopt;
  line.remove_prefix(kWords.size());
  // It ends before the colon, behind it, or at the end of the line; as a heading it has no colon.
  bool is_open = !emphasis.empty() && !drop_prefix(line, emphasis);
  line = trimmed(line);
  if (!drop_prefix(line, ":") && !line.empty()) return std::nullopt;
  is_open = is_open && !drop_prefix(line, emphasis);
  if (is_open && line.ends_with(emphasis)) line.remove_suffix(emphasis.size());
  return trimmed(line);
}

bool says_none(std::string_view action) {
  auto word = unicode::fold(trimmed(action.substr(0, action.find('\n'))));
  while (word.ends_with('.')) word.pop_back();
  return word.empty() || word == "none" || word == "nothing";
}

std::string listed(const std::vector<std::string>& actions) {
  if (actions.size() == 1) return actions.front();
  std::string list;
  for (size_t i = 0; i < actions.size(); ++i) {
    list += (i == 0 ? "" : "\n") + std::to_string(i + 1) + ". " + actions[i];
  }
  return list;
}

}  // namespace

Recommendation recommendation_in(std::string_view analysis) {
  Recommendation found;
  std::vector<std::string> texts;
  bool is_quoted = false;
  for (size_t at = 0; at < analysis.size();) {
    const auto end = std::min(analysis.find('\n', at), analysis.size());
    auto line = analysis.substr(at, end - at);
    if (const auto begun = begun_in(line)) {
      if (texts.empty()) found.findings = trimmed(analysis.substr(0, at));
      texts.emplace_back(*begun);
      is_quoted = trimmed(line).starts_with('>');
    } else if (!texts.empty()) {
      if (is_quoted && trimmed(line).starts_with('>')) line = trimmed(trimmed(line).substr(1));
      texts.back() += "\n" + std::string(line);
    }
    at = end + 1;
  }
  std::vector<std::string> actions;
  for (const auto& text : texts) {
    if (!says_none(trimmed(text))) actions.emplace_back(trimmed(text));
  }
  if (!actions.empty()) found.action = listed(actions);
  return found;
}

}  // namespace reprise::subconscious
