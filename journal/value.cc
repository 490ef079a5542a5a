// A descent through the text, which checks every token: what a value may be is stricter than JSON.
// Both forms are written in the same pass: the text in the order given, over what was read, the
// canonical form with the members of each object put in order when the object ends. Most values
// that programs write are in canonical form already, or nearly: it is a text of its own only from
// the first difference on.
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

/// Where a fault is, counted in bytes from 1.
struct Spot {
  size_t line = 1;
  size_t column = 1;
};

Spot spot_in(std::string_view json, size_t offset) {
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

/// Behind the string literal that begins at `at`, when it has no other escapes than those that
/// append_quoted writes: then it is its own canonical form. Else `at`.
size_t canonical_string_end(std::string_view json, size_t at) {
  for (size_t i = json::skip_plain(json, at + 1); i < json.size(); i = json::skip_plain(json, i)) {
    const auto c = static_cast<unsigned char>(json[i++]);
    if (c == '"') return i;
    if (c < 0x20) break;
    if (c != '\\') continue;
    if (i == json.size() || std::string_view("\"\\bfnrt").find(json[i]) == std::string_view::npos) {
      break;
    }
    ++i;
  }
  return at;
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

class ValueReader {
 public:
  ValueReader(std::string json, std::string_view what) : x_what(what), x_text(std::move(json)) {}

  Value read() {
    const size_t invalid = first_invalid_utf8(x_text);
    if (invalid != x_text.size()) {
      syntax_error(spot_in(x_text, invalid), "the text is not valid UTF-8");
    }
    if (peek() == '\0' && x_at == x_text.size()) syntax_error(Spot(), "the text is empty");
    read_node(0);
    const Spot end = here();
    peek();
    if (x_at != x_text.size()) syntax_error(end, "there is more after the value");
    x_text.resize(x_kept);
    return {std::move(x_text), std::move(x_canonical)};
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
    for (; x_at < x_text.size() && is_space(x_text[x_at]); ++x_at) {
      if (x_text[x_at] != '\n') continue;
      ++x_line;
      x_line_begin = x_at + 1;
    }
    return x_at < x_text.size() ? x_text[x_at] : '\0';
  }
  /// Is it `c`? Then goes behind it.
  bool take(char c) {
    if (peek() != c || x_at == x_text.size()) return false;
    ++x_at;
    return true;
  }
  /// Behind an element or a member: true when another follows, false at the closing bracket.
  bool take_separator(char closing);

  void put(char c) {
    x_text[x_kept++] = c;
    if (x_differs) x_canonical += c;
  }
  /// Keeps what was read from `begin` on, which is its own canonical form or may have another one.
  void keep(size_t begin);
  void keep_as(size_t begin, std::string_view canonical);
  void move_up(size_t begin) {
    if (x_kept != begin) std::memmove(&x_text[x_kept], &x_text[begin], x_at - begin);
    x_kept += x_at - begin;
  }
  size_t canonical_size() const { return x_differs ? x_canonical.size() : x_kept; }
  void begin_to_differ() {
    if (x_differs) return;
    x_differs = true;
    x_canonical.reserve(x_text.size());
    x_canonical.assign(x_text, 0, x_kept);
  }

  /// Of a place in this line, which no newline follows that was read.
  Spot spot(size_t offset) const { return {x_line, offset - x_line_begin + 1}; }
  Spot here() const { return spot(x_at); }
  [[noreturn]] void syntax_error(Spot at, std::string_view reason) const;
  [[noreturn]] void refuse(std::string_view reason) const;
  [[noreturn]] void fail(const TokenFault& fault, size_t offset) const {
    if (fault.syntax) syntax_error(spot(offset), fault.reason);
    refuse(fault.reason);
  }

  std::string_view x_what;
  std::string x_text;  ///< as given from x_at on, minified before x_kept
  size_t x_at = 0;     ///< never before x_kept
  size_t x_kept = 0;
  size_t x_line = 1;
  size_t x_line_begin = 0;
  std::string x_canonical;  ///< of what was kept, once it differs
  bool x_differs = false;
  std::vector<std::string> x_path;  ///< keys and indexes down to the node
  std::string x_scratch;
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
  if (x_at == x_text.size()) {
    syntax_error(here(), "the text does not end with the bracket that closes it");
  }
  syntax_error(here(), "a comma or the closing bracket is missing here");
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

void ValueReader::keep(size_t begin) {
  if (x_differs) x_canonical.append(x_text, begin, x_at - begin);
  move_up(begin);
}

void ValueReader::keep_as(size_t begin, std::string_view canonical) {
  const auto given = std::string_view(x_text).substr(begin, x_at - begin);
  if (!x_differs && given == canonical) return move_up(begin);
  begin_to_differ();
  x_canonical += canonical;
  move_up(begin);
}

void ValueReader::read_object(int depth) {
  put('{');
  if (take('}')) return put('}');
  const size_t begin = canonical_size();
  std::vector<Member> members;
  do {
    const size_t member_begin = canonical_size();
    std::string key = read_key();
    x_path.push_back(key);
    read_node(depth);
    x_path.pop_back();
    members.push_back({std::move(key), member_begin, canonical_size()});
  } while (take_separator('}'));
  sort_members(begin, members);
}

std::string ValueReader::read_key() {
  if (peek() != '"') syntax_error(here(), "a name in double quotes is missing here");
  const size_t begin = x_at;
  std::string key;
  if (const TokenFault fault = read_string(x_text, begin, &x_at, &key)) fail(fault, x_at);
  keep_as(begin, quote(key));
  if (!take(':')) syntax_error(here(), "a colon is missing here");
  put(':');
  return key;
}

void ValueReader::read_string_value() {
  const size_t begin = x_at;
  x_at = canonical_string_end(x_text, begin);
  if (x_at != begin) return keep(begin);
  if (const TokenFault fault = read_string(x_text, begin, &x_at, &x_scratch)) fail(fault, x_at);
  keep_as(begin, quote(x_scratch));
}

void ValueReader::read_plain_value() {
  const size_t begin = x_at;
  if (begin == x_text.size()) {
    syntax_error(here(), "the text does not end with the bracket that closes it");
  }
  x_at = std::min(x_text.find_first_of(" \t\r\n,:\"[]{}", begin), x_text.size());
  const auto token = std::string_view(x_text).substr(begin, x_at - begin);
  if (token == "true" || token == "false" || token == "null") return keep(begin);
  if (!token.starts_with('-') && !(token >= "0" && token < ":")) {
    syntax_error(spot(begin), "this is neither a value nor true, false or null");
  }
  x_scratch.clear();
  if (const auto fault = append_canonical_number(x_scratch, token)) fail(fault, begin);
  keep_as(begin, x_scratch);
}

/// Puts the members that stand in the canonical text from `begin` in the order of their keys. The
/// longest one is moved, not copied: often it is nearly all of a large object.
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
  begin_to_differ();
  const auto length = [](const Member& member) { return member.end - member.begin; };
  const auto longest = std::ranges::max_element(members, {}, length);
  const auto join = [&](auto from, auto to) {
    size_t size = 0;
    for (auto member = from; member != to; ++member) size += length(*member) + 1;
    std::string joined;
    joined.reserve(size);
    for (; from != to; ++from) joined.append(x_canonical, from->begin, length(*from)) += ',';
    return joined;
  };
  const std::string before = join(members.begin(), longest);
  const std::string behind = join(longest + 1, members.end());
  char* const place = x_canonical.data() + begin;
  char* const end = place + before.size() + length(*longest);
  std::memmove(place + before.size(), x_canonical.data() + longest->begin, length(*longest));
  before.copy(place, before.size());
  if (behind.empty()) return;
  *end = ',';
  behind.copy(end + 1, behind.size() - 1);
}

void ValueReader::syntax_error(Spot at, std::string_view reason) const {
  const std::string l = std::to_string(at.line);
  const std::string c = std::to_string(at.column);
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
  return ValueReader(std::string(json), what).read();
}

Value parse_large_value(std::string json, std::string_view what) {
  return ValueReader(std::move(json), what).read();
}

std::string value_digest(std::string_view canonical) { return hash128_hex(canonical); }

}  // namespace reprise
