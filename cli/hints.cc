#include "cli/hints.h"

#include <algorithm>
#include <array>

#include "cli/command_table.h"
#include "cli/text.h"

namespace reprise {
namespace {

constexpr std::string_view kProgram = "reprise ";
constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz-:";
constexpr std::array<std::string_view, 4> kBegins = {"  next  ", "  waits  ", "  answer  ",
                                                     "  try it: "};
constexpr std::string_view kBelow = "        reprise ";

}  // namespace

std::string with_home(std::string_view text, std::string_view home) {
  std::string out;
  if (text.find("--home") != text.npos) return std::string(text);
  size_t at = 0;
  for (size_t found = 0; (found = text.find(kProgram, at)) != text.npos;) {
    const size_t begin = found + kProgram.size();
    const size_t end = std::min(text.find_first_not_of(kLetters, begin), text.size());
    auto name = text.substr(begin, end - begin);
    if (name.ends_with(':')) name.remove_suffix(1);
    out += text.substr(at, begin + name.size() - at);
    at = begin + name.size();
    if (find_command(name) != nullptr) out += " --home " + shell_word(home);
  }
  return out.append(text.substr(at));
}

std::string next_with_home(std::string_view text, std::string_view home) {
  std::string out;
  bool is_next = false;
  while (!text.empty()) {
    const auto line = text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
    const auto begins = [&](std::string_view words) { return line.starts_with(words); };
    is_next = std::ranges::any_of(kBegins, begins) || (is_next && begins(kBelow));
    out += is_next ? with_home(line, home) : std::string(line);
    text.remove_prefix(line.size());
  }
  return out;
}

}  // namespace reprise
