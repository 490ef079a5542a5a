#include "cli/hints.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "cli/command_table.h"
#include "cli/text.h"

namespace reprise {
namespace {

constexpr std::string_view kProgram = "reprise ";
constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz-:";
constexpr std::array<std::string_view, 5> kBegins = {"  next  ", "  waits  ", "  answer  ",
                                                     "  try it: ", "  reprise "};
constexpr std::string_view kBelow = "        reprise ";

constexpr std::string_view kRun = " RUN";

// The text with what `put` adds behind the name of each command in it. `put` gets what follows the
// name, and takes from its beginning what is to go.
template <class Put>
std::string behind_commands(std::string_view text, Put put) {
  std::string out;
  for (size_t found = 0; (found = text.find(kProgram)) != text.npos;) {
    const size_t begin = found + kProgram.size();
    const size_t end = std::min(text.find_first_not_of(kLetters, begin), text.size());
    auto name = text.substr(begin, end - begin);
    if (name.ends_with(':')) name.remove_suffix(1);
    out += text.substr(0, begin + name.size());
    text.remove_prefix(begin + name.size());
    if (find_command(name) != nullptr) out += put(text);
  }
  return out.append(text);
}

bool begins_with_run(std::string_view text) {
  if (!text.starts_with(kRun)) return false;
  return text.size() == kRun.size() ||
         std::isalnum(static_cast<unsigned char>(text[kRun.size()])) == 0;
}

}  // namespace

std::string with_place(std::string_view text, std::string_view place) {
  const bool names_one = text.find("--home") != text.npos || text.find("--runs-dir") != text.npos;
  if (names_one || place.empty()) return std::string(text);
  return behind_commands(text, [&](std::string_view) { return " " + std::string(place); });
}

std::string next_with_place(std::string_view text, std::string_view place) {
  std::string out;
  bool is_next = false;
  while (!text.empty()) {
    const auto line = text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
    const auto begins = [&](std::string_view words) { return line.starts_with(words); };
    is_next = std::ranges::any_of(kBegins, begins) || (is_next && begins(kBelow));
    out += is_next ? with_place(line, place) : std::string(line);
    text.remove_prefix(line.size());
  }
  return out;
}

std::string with_run(std::string_view text, std::string_view run) {
  return behind_commands(text, [&](std::string_view& rest) {
    if (!begins_with_run(rest)) return std::string();
    rest.remove_prefix(kRun.size());
    return " " + shell_word(run);
  });
}

}  // namespace reprise
