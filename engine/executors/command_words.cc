// A reader of shell text that only wants to know where commands begin: quotes, substitutions,
// operators, here-documents and reserved words, nothing is expanded. What it finds is looked into
// again when it runs other commands.
#include "engine/executors/command_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace reprise {

namespace {

/// Text within text within text: what is deeper is not looked at.
constexpr int kMaxDepth = 32;

struct Wrapper {
  std::string_view name;
  std::string_view valued;  ///< options that take the next word, each between blanks
  int skipped = 0;          ///< words of its own before the command
};
constexpr std::array kWrappers = {
    Wrapper{"env", " -u -C --unset --chdir "},
    Wrapper{"sudo", " -u -g -h -p -C -r -t -T -U -D -R --user --group --host --prompt --chdir "},
    Wrapper{"doas", " -u -C "},
    Wrapper{"xargs", " -I -n -P -L -d -E -s -a --max-args --max-procs --delimiter --arg-file "},
    Wrapper{"nohup", ""},
    Wrapper{"setsid", ""},
    Wrapper{"command", ""},
    Wrapper{"builtin", ""},
    Wrapper{"busybox", ""},
    Wrapper{"time", " -f -o --format --output "},
    Wrapper{"exec", " -a "},
    Wrapper{"nice", " -n --adjustment "},
    Wrapper{"ionice", " -c -n --class --classdata "},
    Wrapper{"stdbuf", " -i -o -e --input --output --error "},
    Wrapper{"strace", " -e -o -p -s -u "},
    Wrapper{"parallel", " -j -S -a -I --jobs "},
    Wrapper{"watch", " -n --interval "},
    Wrapper{"timeout", " -k -s --kill-after --signal ", 1},
    Wrapper{"flock", " -w -E --timeout ", 1},
    Wrapper{"chroot", "", 1},
    Wrapper{"taskset", "", 1},
    Wrapper{"chrt", "", 1},
};
constexpr std::array<std::string_view, 7> kShells = {"sh",  "bash", "dash", "zsh",
                                                     "ksh", "ash",  "fish"};
/// They stand where a command may, and a command may follow.
constexpr std::array<std::string_view, 14> kLeading = {"if", "then", "else",  "elif",  "fi",
                                                       "do", "done", "while", "until", "{",
                                                       "}",  "!",    "esac",  "coproc"};

template <typename List>
bool contains_word(const List& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

std::string_view base_name(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

bool is_assignment(std::string_view word) {
  const auto equals = word.find('=');
  if (equals == 0 || equals == std::string_view::npos) return false;
  return std::ranges::all_of(word.substr(0, equals), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '+';
  });
}

class Finder {
 public:
  explicit Finder(std::vector<Words>& found) : x_found(found) {}

  void script(std::string_view text, int depth);
  void command(const Words& words, const Words& inputs, int depth);

 private:
  void wrapped(const Wrapper& wrapper, const Words& words, int depth);
  void shell(const Words& words, const Words& inputs, int depth);
  void find_exec(const Words& words, int depth);

  std::vector<Words>& x_found;
};

/// One text. Ends at the end or at the parenthesis or backtick that closes it.
class ScriptReader {
 public:
  ScriptReader(Finder& finder, std::string_view text, int depth)
      : x_finder(finder), x_text(text), x_depth(depth) {}

  void read_list(char closing);

 private:
  bool more() const { return x_at < x_text.size(); }
  char here() const { return x_text[x_at]; }
  bool next_is(std::string_view word) const { return x_text.substr(x_at).starts_with(word); }
  void end_command();
  void skip_comment();
  void redirection();
  void here_documents();
  void word();
  void quoted(char quote, std::string& word);
  void dollar(std::string& word);
  void braces();
  void nested(char closing);

  Finder& x_finder;
  std::string_view x_text;
  int x_depth;
  size_t x_at = 0;
  Words x_words;
  Words x_inputs;               ///< here-documents and here-strings of the command
  Words x_delimiters;           ///< of here-documents whose text follows the line
  bool x_takes_target = false;  ///< the next word belongs to a redirection
  bool x_takes_input = false;   ///< the next word is a here-string
  bool x_takes_ending = false;  ///< the next word is a here-document's delimiter
};

void ScriptReader::end_command() {
  Words words;
  std::swap(words, x_words);
  if (x_delimiters.empty()) {
    Words inputs;
    std::swap(inputs, x_inputs);
    x_finder.command(words, inputs, x_depth);
    return;
  }
  x_words = std::move(words);  // its text comes first
}

void ScriptReader::skip_comment() {
  while (more() && here() != '\n') x_at++;
}

void ScriptReader::read_list(char closing) {
  while (more()) {
    const char c = here();
    if (c == closing) break;
    if (c == ' ' || c == '\t' || c == '\r') {
      x_at++;
    } else if (c == '\n') {
      x_at++;
      here_documents();
      end_command();
    } else if (c == '#') {
      skip_comment();
    } else if ((c == '<' || c == '>') && x_text.substr(x_at + 1).starts_with('(')) {
      x_at += 2;
      nested(')');
    } else if (c == '<' || c == '>') {
      redirection();
    } else if (c == ';' || c == '&' || c == '|' || c == '(' || c == ')') {
      x_at++;
      end_command();
    } else {
      word();
    }
  }
  here_documents();
  end_command();
}

void ScriptReader::redirection() {
  if (next_is("<<<")) {
    x_at += 3;
    x_takes_input = true;
  } else if (next_is("<<")) {
    x_at += next_is("<<-") ? 3 : 2;
    x_takes_ending = true;
  } else {
    while (more() && (here() == '<' || here() == '>' || here() == '&' || here() == '|')) x_at++;
    x_takes_target = true;
  }
}

void ScriptReader::here_documents() {
  for (const auto& delimiter : x_delimiters) {
    std::string text;
    while (more()) {
      const auto end = std::min(x_text.find('\n', x_at), x_text.size());
      auto line = x_text.substr(x_at, end - x_at);
      x_at = std::min(end + 1, x_text.size());
      const auto first = std::min(line.find_first_not_of('\t'), line.size());
      if (line.substr(first) == delimiter) break;
      text.append(line).append("\n");
    }
    x_inputs.push_back(text);
  }
  x_delimiters.clear();
}

void ScriptReader::word() {
  std::string word;
  constexpr std::string_view kEnds = " \t\r\n;&|()<>";
  while (more() && kEnds.find(here()) == std::string_view::npos) {
    const char c = here();
    if (c == '\\') {
      x_at++;
      if (more() && here() != '\n') word += here();
      if (more()) x_at++;
    } else if (c == '\'' || c == '"') {
      x_at++;
      quoted(c, word);
    } else if (c == '`') {
      x_at++;
      nested('`');
    } else if (c == '$') {
      dollar(word);
    } else {
      word += c;
      x_at++;
    }
  }
  const bool number = !word.empty() && more() && (here() == '<' || here() == '>') &&
                      std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
  if (std::exchange(x_takes_target, false) || number) return;
  if (std::exchange(x_takes_input, false)) return x_inputs.push_back(word);
  if (std::exchange(x_takes_ending, false)) return x_delimiters.push_back(word);
  x_words.push_back(std::move(word));
}

void ScriptReader::quoted(char quote, std::string& word) {
  while (more() && here() != quote) {
    if (quote == '"' && here() == '\\' && x_at + 1 < x_text.size()) {
      x_at++;
      word += here();
      x_at++;
    } else if (quote == '"' && here() == '`') {
      x_at++;
      nested('`');
    } else if (quote == '"' && here() == '$') {
      dollar(word);
    } else {
      word += here();
      x_at++;
    }
  }
  if (more()) x_at++;
}

void ScriptReader::dollar(std::string& word) {
  if (next_is("$((")) {
    x_at += 3;
    int open = 2;
    for (; more() && open > 0; x_at++) open += here() == '(' ? 1 : here() == ')' ? -1 : 0;
  } else if (next_is("$(")) {
    x_at += 2;
    nested(')');
  } else if (next_is("${")) {
    x_at += 2;
    braces();
  } else if (next_is("$'")) {
    x_at += 2;
    quoted('\'', word);
    return;
  } else {
    word += here();
    x_at++;
    return;
  }
  word += "$()";  // something that only the shell knows
}

void ScriptReader::braces() {
  std::string ignored;
  while (more() && here() != '}') {
    if (here() == '$') {
      dollar(ignored);
    } else if (here() == '`') {
      x_at++;
      nested('`');
    } else {
      x_at++;
    }
  }
  if (more()) x_at++;
}

void ScriptReader::nested(char closing) {
  if (x_depth >= kMaxDepth) {
    x_at = x_text.size();
    return;
  }
  ScriptReader inner(x_finder, x_text.substr(x_at), x_depth + 1);
  inner.read_list(closing);
  x_at = std::min(x_at + inner.x_at + 1, x_text.size());
}

void Finder::script(std::string_view text, int depth) {
  if (depth < kMaxDepth) ScriptReader(*this, text, depth + 1).read_list('\0');
}

void Finder::command(const Words& words, const Words& inputs, int depth) {
  auto begin = words.begin();
  while (begin != words.end() && (contains_word(kLeading, *begin) || is_assignment(*begin)))
    ++begin;
  if (begin != words.end() && *begin == "function") begin += std::min<long>(3, words.end() - begin);
  if (begin == words.end() || *begin == "for" || *begin == "case" || *begin == "select") return;
  const Words rest(begin, words.end());
  x_found.push_back(rest);
  if (depth >= kMaxDepth) return;
  const auto name = base_name(rest.front());
  if (contains_word(kShells, name)) return shell(rest, inputs, depth);
  if (name == "find") return find_exec(rest, depth);
  if (name == "su" || name == "script") return shell(rest, {}, depth);
  if (name == "eval") {
    std::string text;
    for (size_t i = 1; i < rest.size(); i++) text += rest[i] + " ";
    return script(text, depth);
  }
  const auto wrapper = std::ranges::find(kWrappers, name, &Wrapper::name);
  if (wrapper != kWrappers.end()) wrapped(*wrapper, rest, depth);
}

void Finder::wrapped(const Wrapper& wrapper, const Words& words, int depth) {
  size_t i = 1;
  for (; i < words.size() && words[i].starts_with('-') && words[i] != "--"; i++) {
    const auto& option = words[i];
    const bool text = option == "-S" || option == "--split-string" || option == "-c";
    if (text && i + 1 < words.size()) script(words[i + 1], depth);
    if (option.starts_with("--split-string=")) script(option.substr(option.find('=') + 1), depth);
    if (wrapper.valued.find(" " + option + " ") != std::string_view::npos) i++;
  }
  if (i < words.size() && words[i] == "--") i++;
  while (i < words.size() && is_assignment(words[i])) i++;
  i += static_cast<size_t>(wrapper.skipped);
  if (i >= words.size()) return;
  const Words inner(words.begin() + static_cast<long>(i), words.end());
  // Some hand one word to a shell, as in watch 'a | b'.
  if (inner.size() == 1 && inner.front().find(' ') != std::string::npos) {
    return script(inner.front(), depth);
  }
  if (inner.front() == "-c" && inner.size() > 1) return script(inner[1], depth);
  command(inner, {}, depth + 1);
}

void Finder::shell(const Words& words, const Words& inputs, int depth) {
  for (size_t i = 1; i + 1 < words.size(); i++) {
    const auto& option = words[i];
    const bool cluster = option.size() > 1 && option[0] == '-' && option[1] != '-';
    if (option == "--command" || (cluster && option.find('c') != std::string::npos)) {
      return script(words[i + 1], depth);
    }
  }
  for (const auto& input : inputs) script(input, depth);
}

void Finder::find_exec(const Words& words, int depth) {
  for (size_t i = 1; i < words.size(); i++) {
    const bool runs =
        words[i] == "-exec" || words[i] == "-execdir" || words[i] == "-ok" || words[i] == "-okdir";
    if (!runs) continue;
    const auto begin = words.begin() + static_cast<long>(i) + 1;
    const auto end = std::find_if(begin, words.end(),
                                  [](const auto& word) { return word == ";" || word == "+"; });
    command(Words(begin, end), {}, depth + 1);
  }
}

}  // namespace

std::vector<Words> commands_in(const Words& words) {
  std::vector<Words> found;
  Finder(found).command(words, {}, 0);
  return found;
}

std::vector<Words> commands_in_script(std::string_view text) {
  std::vector<Words> found;
  Finder(found).script(text, 0);
  return found;
}

}  // namespace reprise
