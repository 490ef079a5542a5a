#include "cli/hints.h"

#include "cli/command_table.h"
#include "cli/text.h"

namespace reprise {
namespace {

constexpr std::string_view kProgram = "reprise ";
constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz-:";

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

}  // namespace reprise
