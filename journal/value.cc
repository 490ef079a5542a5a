// A descent through the text, which checks every token: what a value may be is stricter than JSON.
// Both forms are written in the same pass: the text in the order given, the canonical form with the
// members of each object put in order when the object ends.
#include "journal/value.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "journal/error.h"
#include "journal/hash.h"
#include "journal/scalar.h"

namespace reprise {

namespace {

/// Where a fault is: its line and column, counted in bytes from 1.
std::pair<size_t, size_t> line_and_column(std::string_view json, size_t offset) {
  const std::string_view before = json.substr(0, offset);
  const size_t line = 1 + static_cast<size_t>(std::count(before.begin(), before.end(), '\n'));
  const size_t newline = before.rfind('\n');
  return {line, newline == std::string_view::npos ? offset + 1 : offset - newline};
}

/// How many bytes the UTF-8 character at `at` has, or 0 when it is none. (Unicode, table 3-7.)
size_t utf8_size(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
  };
  const auto follows = [&](size_t i) { return (byte(i) & 0xc0U) == 0x80; };
  const unsigned lead = byte(0);
  const unsigned next = byte(1);
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4 || !follows(1)) return 0;
  if (lead < 0xe0) return 2;
  const bool overlong = (lead == 0xe0 && next < 0xa0) || (lead == 0xf0 && next < 0x90);
  const bool surrogate = lead == 0xed && next > 0x9f;
  const bool beyond = lead == 0xf4 && next > 0x8f;
  if (overlong || surrogate || beyond || !follows(2)) return 0;
  if (lead < 0xf0) return 3;
  return follows(3) ? 4 : 0;
}

/// The size of the text when all of it is valid.
size_t first_invalid_utf8(std::string_view text) {
  constexpr uint64_t kBeyondAscii = 0x8080808080808080;
  size_t at = 0;
  while (at < text.size()) {
    uint64_t bytes = kBeyondAscii;
    if (text.size() - at >= sizeof bytes) std::memcpy(&bytes, text.data() + at, sizeof bytes);
    if ((bytes & kBeyondAscii) == 0) {
      at += sizeof bytes;
      continue;
    }
    const size_t size = utf8_size(text, at);
    if (size == 0) break;
    at += size;
  }
  return at;
}

/// Behind the string literal that begins at `at`, when it says what it says without escapes: then
/// it is its own canonical form. Else `at`.
size_t plain_string_end(std::string_view json, size_t at) {
  for (size_t i = at + 1; i < json.size(); ++i) {
    const auto c = static_cast<unsigned char>(json[i]);
    if (c == '"') return i + 1;
    if (c == '\\' || c < 0x20) break;
  }
  return at;
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

class ValueReader {
 public:
  ValueReader(std::string_view json, std::string_view what) : x_what(what), x_json(json) {}

  Value read() {
    const size_t invalid = first_invalid_utf8(x_json);
    if (invalid != x_json.size()) syntax_error(invalid, "the text is not valid UTF-8");
    if (peek() == '\0' && x_at == x_json.size()) syntax_error(0, "the text is empty");
    x_value.text.reserve(x_json.size());
    x_value.canonical.reserve(x_json.size());
    read_node(0);
    const size_t end = x_at;
    peek();
    if (x_at != x_json.size()) syntax_error(end, "there is more after the value");
    return std::move(x_value);
  }

 private:
  struct Member {
    std::string key;
    size_t begin;  ///< of `"key":value` in the canonical text
    size_t end;
  };

  void read_node(int depth);
  void read_array(int depth);
  void read_object(int depth);
  void read_string_value();
  void read_plain_value();
  std::string read_key();
  void sort_members(size_t begin, std::vector<Member>& members);

  /// The next character that is no space, or NUL at the end.
  char peek() {
    while (x_at < x_json.size() && is_space(x_json[x_at])) ++x_at;
    return x_at < x_json.size() ? x_json[x_at] : '\0';
  }
  /// Is it `c`? Then goes behind it.
  bool take(char c) {
    if (peek() != c || x_at == x_json.size()) return false;
    ++x_at;
    return true;
  }
  void put(char c) {
    x_value.text += c;
    x_value.canonical += c;
  }
  /// Behind an element or a member: true when another follows, false at the closing bracket.
  bool take_separator(char closing);

  [[noreturn]] void syntax_error(size_t offset, std::string_view reason) const;
  [[noreturn]] void refuse(std::string_view reason) const;
  [[noreturn]] void fail(const TokenFault& fault, size_t offset) const {
    if (fault.syntax) syntax_error(offset, fault.reason);
    refuse(fault.reason);
  }

  std::string_view x_what;
  std::string_view x_json;
  size_t x_at = 0;
  std::vector<std::string> x_path;  ///< keys and indexes down to the node
  std::string x_scratch;
  Value x_value;
};

void ValueReader::read_node(int depth) {
  const char first = peek();
  if (first == '[' || first == '{') {
    if (depth == kMaxValueDepth) {
      refuse("the value is nested deeper than " + std::to_string(kMaxValueDepth) + " levels");
    }
    ++x_at;
    first == '[' ? read_array(depth + 1) : read_object(depth + 1);
  } else if (first == '"') {
    read_string_value();
  } else {
    read_plain_value();
  }
}

bool ValueReader::take_separator(char closing) {
  if (take(',')) {
    put(',');
    return true;
  }
  if (take(closing)) {
    put(closing);
    return false;
  }
  if (x_at == x_json.size()) {
    syntax_error(x_at, "the text does not end with the bracket that closes it");
  }
  syntax_error(x_at, "a comma or the closing bracket is missing here");
}

void ValueReader::read_array(int depth) {
  put('[');
  if (take(']')) return put(']');
  size_t index = 0;
  do {
    x_path.push_back(std::to_string(index++));
    read_node(depth);
    x_path.pop_back();
  } while (take_separator(']'));
}

void ValueReader::read_object(int depth) {
  put('{');
  if (take('}')) return put('}');
  const size_t begin = x_value.canonical.size();
  std::vector<Member> members;
  do {
    const size_t member_begin = x_value.canonical.size();
    std::string key = read_key();
    x_path.push_back(key);
    read_node(depth);
    x_path.pop_back();
    members.push_back({std::move(key), member_begin, x_value.canonical.size()});
  } while (take_separator('}'));
  x_value.canonical.pop_back();  // the bracket, until the members are in order
  sort_members(begin, members);
  x_value.canonical += '}';
}

std::string ValueReader::read_key() {
  if (peek() != '"') syntax_error(x_at, "a name in double quotes is missing here");
  const size_t begin = x_at;
  std::string key;
  if (const TokenFault fault = read_string(x_json, begin, &x_at, &key)) fail(fault, x_at);
  x_value.text.append(x_json, begin, x_at - begin);
  append_quoted(x_value.canonical, key);
  if (!take(':')) syntax_error(x_at, "a colon is missing here");
  put(':');
  return key;
}

void ValueReader::read_string_value() {
  const size_t begin = x_at;
  x_at = plain_string_end(x_json, begin);
  if (x_at != begin) {
    x_value.canonical.append(x_json, begin, x_at - begin);
  } else if (const TokenFault fault = read_string(x_json, begin, &x_at, &x_scratch)) {
    fail(fault, x_at);
  } else {
    append_quoted(x_value.canonical, x_scratch);
  }
  x_value.text.append(x_json, begin, x_at - begin);
}

void ValueReader::read_plain_value() {
  const size_t begin = x_at;
  if (begin == x_json.size()) {
    syntax_error(begin, "the text does not end with the bracket that closes it");
  }
  const size_t end = std::min(x_json.find_first_of(" \t\r\n,:\"[]{}", begin), x_json.size());
  const auto token = x_json.substr(begin, end - begin);
  if (token == "true" || token == "false" || token == "null") {
    x_value.canonical += token;
  } else if (token.starts_with('-') || (token >= "0" && token < ":")) {
    if (const auto fault = append_canonical_number(x_value.canonical, token)) fail(fault, begin);
  } else {
    syntax_error(begin, "this is neither a value nor true, false or null");
  }
  x_value.text += token;
  x_at = end;
}

/// Puts the members that stand in the canonical text from `begin` in the order of their keys.
void ValueReader::sort_members(size_t begin, std::vector<Member>& members) {
  const auto by_key = [](const Member& a, const Member& b) { return a.key < b.key; };
  const bool sorted = std::is_sorted(members.begin(), members.end(), by_key);
  if (!sorted) std::stable_sort(members.begin(), members.end(), by_key);
  for (size_t i = 1; i < members.size(); i++) {
    if (members[i].key != members[i - 1].key) continue;
    x_path.push_back(members[i].key);
    refuse("an object has two members of this name");
  }
  if (sorted) return;
  std::string ordered;
  ordered.reserve(x_value.canonical.size() - begin);
  for (const Member& member : members) {
    if (!ordered.empty()) ordered += ',';
    ordered.append(x_value.canonical, member.begin, member.end - member.begin);
  }
  x_value.canonical.replace(begin, std::string::npos, ordered);
}

void ValueReader::syntax_error(size_t offset, std::string_view reason) const {
  const auto [line, column] = line_and_column(x_json, offset);
  const std::string l = std::to_string(line);
  const std::string c = std::to_string(column);
  throw Error(Exit::kUsage, "INVALID_JSON",
              std::string(x_what) + ": line " + l + ", column " + c + ": " + std::string(reason),
              "", "{\"line\":" + l + ",\"column\":" + c + '}');
}

void ValueReader::refuse(std::string_view reason) const {
  std::string pointer;
  for (const std::string& part : x_path) {
    pointer += '/';
    for (const char c : part) {
      if (c == '~') {
        pointer += "~0";
      } else if (c == '/') {
        pointer += "~1";
      } else {
        pointer += c;
      }
    }
  }
  const std::string quoted = quote(pointer);
  throw Error(Exit::kUsage, "INVALID_JSON",
              std::string(x_what) + ": at " + quoted + ": " + std::string(reason), "",
              "{\"pointer\":" + quoted + '}');
}

}  // namespace

Value parse_value(std::string_view json, std::string_view what) {
  return ValueReader(json, what).read();
}

std::string value_digest(std::string_view canonical) { return hash128_hex(canonical); }

}  // namespace reprise
