#include "engine/source_tokens.h"

#include <algorithm>
#include <array>

namespace reprise {

namespace {

bool is_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || c == '_' || c == '$' || (c >= '0' && c <= '9') ||
         ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

class Tokens {
 public:
  explicit Tokens(std::string_view source) : x_source(source) {}

  std::vector<SourceToken> read() && {
    while (x_at < x_source.size()) next();
    return std::move(x_tokens);
  }

 private:
  using Kind = SourceToken::Kind;

  void next() {
    const char c = x_source[x_at];
    const auto rest = x_source.substr(x_at);
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      ++x_at;
    } else if (rest.starts_with("//")) {
      comment(x_source.find('\n', x_at));
    } else if (rest.starts_with("/*")) {
      const auto end = x_source.find("*/", x_at + 2);
      comment(end == std::string_view::npos ? end : end + 2);
    } else if (is_word(c)) {
      word();
    } else if (c == '"' || c == '\'') {
      quoted(c);
    } else if (c == '`') {
      template_part();
    } else if (c == '/' && expects_value()) {
      regular_expression();
    } else {
      mark();
    }
  }

  void add(Kind kind, size_t from, size_t to) {
    x_tokens.push_back({kind, x_source.substr(from, to - from), from});
  }

  void comment(size_t end) {
    end = std::min(end, x_source.size());
    add(Kind::kComment, x_at, end);
    x_at = end;
  }

  void word() {
    const size_t from = x_at;
    while (x_at < x_source.size() && is_word(x_source[x_at])) ++x_at;
    add(Kind::kWord, from, x_at);
  }

  void quoted(char quote) {
    const size_t from = ++x_at;
    while (x_at < x_source.size() && x_source[x_at] != quote && x_source[x_at] != '\n') {
      x_at += x_source[x_at] == '\\' ? 2 : 1;
    }
    x_at = std::min(x_at, x_source.size());
    add(Kind::kText, from, x_at);
    if (x_at < x_source.size()) ++x_at;
  }

  /// From a ` or from the } that ends a substitution, to the next substitution or the last `.
  void template_part() {
    const size_t from = ++x_at;
    while (x_at < x_source.size() && x_source[x_at] != '`') {
      if (x_source.substr(x_at).starts_with("${")) {
        x_templates.push_back(0);
        x_at += 2;
        return;
      }
      x_at += x_source[x_at] == '\\' ? 2 : 1;
    }
    x_at = std::min(x_at, x_source.size());
    if (from == 1 || x_source[from - 1] == '`') add(Kind::kText, from, x_at);
    if (x_at < x_source.size()) ++x_at;
  }

  /// Whether a value could stand here: then a slash begins a regular expression.
  bool expects_value() const {
    constexpr std::array<std::string_view, 7> kBefore = {"return", "typeof", "case", "in",
                                                         "of",     "else",   "await"};
    const auto last = std::find_if(x_tokens.rbegin(), x_tokens.rend(),
                                   [](const auto& token) { return token.kind != Kind::kComment; });
    if (last == x_tokens.rend()) return true;
    if (last->kind == Kind::kText) return false;
    if (last->kind == Kind::kWord) return std::ranges::find(kBefore, last->text) != kBefore.end();
    return last->text != ")" && last->text != "]" && last->text != "}";
  }

  void regular_expression() {
    bool in_class = false;
    size_t end = x_at + 1;
    for (; end < x_source.size() && x_source[end] != '\n'; ++end) {
      const char c = x_source[end];
      if (c == '/' && !in_class) break;
      if (c == '[') in_class = true;
      if (c == ']') in_class = false;
      if (c == '\\') ++end;
    }
    if (end >= x_source.size() || x_source[end] != '/') return mark();
    add(Kind::kText, x_at + 1, end);
    x_at = end + 1;
    while (x_at < x_source.size() && is_word(x_source[x_at])) ++x_at;  // its flags
  }

  void mark() {
    constexpr std::array<std::string_view, 6> kPairs = {"?.", "??", "||", "&&", "=>", "=="};
    const auto pair = x_source.substr(x_at, 2);
    const size_t size = std::ranges::find(kPairs, pair) != kPairs.end() ? 2 : 1;
    const char c = x_source[x_at];
    if (!x_templates.empty()) {
      if (c == '}' && x_templates.back() == 0) {
        x_templates.pop_back();
        return template_part();
      }
      x_templates.back() += c == '{' ? 1 : c == '}' ? -1 : 0;
    }
    add(Kind::kMark, x_at, x_at + size);
    x_at += size;
  }

  std::string_view x_source;
  size_t x_at = 0;
  std::vector<SourceToken> x_tokens;
  std::vector<int> x_templates;  ///< open braces in each substitution that is open
};

}  // namespace

std::vector<SourceToken> read_tokens(std::string_view source) { return Tokens(source).read(); }

SourcePlace place_at(std::string_view source, size_t offset) {
  const auto before = source.substr(0, offset);
  const auto line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  const auto starts_character = [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  };
  SourcePlace place;
  place.line += static_cast<uint32_t>(std::ranges::count(before, '\n'));
  place.column +=
      static_cast<uint32_t>(std::ranges::count_if(before.substr(line_start), starts_character));
  return place;
}

}  // namespace reprise
