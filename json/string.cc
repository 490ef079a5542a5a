// Most of a string is plain: eight bytes of it are looked at together.
#include "json/string.h"

#include <charconv>
#include <cstdint>
#include <cstring>
#include <system_error>

namespace reprise::json {

namespace {

constexpr TokenFault kNoEnd{"a string has no end", true};
constexpr TokenFault kBadEscape{"a backslash is followed by no escape", true};
constexpr TokenFault kControl{"a control character in a string must be escaped", true};
constexpr TokenFault kLoneSurrogate{"half of a surrogate pair stands alone"};

/// Is one of the eight bytes a quote, a backslash or a control character?
bool is_special(uint64_t bytes) {
  constexpr uint64_t kOnes = 0x0101010101010101;
  constexpr uint64_t kHighs = kOnes * 0x80;
  const auto below = [](uint64_t it, uint64_t limit) {
    return (it - kOnes * limit) & ~it & kHighs;
  };
  return (below(bytes, 0x20) | below(bytes ^ (kOnes * '"'), 1) |
          below(bytes ^ (kOnes * '\\'), 1)) != 0;
}

/// The value of four hex digits at `at`, or -1.
int hex4(std::string_view json, size_t at) {
  if (at + 4 > json.size()) return -1;
  unsigned value = 0;
  const auto [end, error] = std::from_chars(json.data() + at, json.data() + at + 4, value, 16);
  if (error != std::errc() || end != json.data() + at + 4) return -1;
  return static_cast<int>(value);
}

void append_utf8(std::string& out, uint32_t code) {
  const auto put = [&out](uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0 | code >> 6);
    put(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    put(0xe0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3f));
    put(0x80 | (code & 0x3f));
  } else {
    put(0xf0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3f));
    put(0x80 | (code >> 6 & 0x3f));
    put(0x80 | (code & 0x3f));
  }
}

/// \uXXXX, or a pair of them, at json[*at] (the u). `at` is moved behind it.
TokenFault read_unicode(std::string_view json, size_t* at, std::string* text) {
  const int first = hex4(json, *at + 1);
  if (first < 0) return kBadEscape;
  auto code = static_cast<uint32_t>(first);
  size_t size = 5;
  if (code >= 0xdc00 && code <= 0xdfff) return kLoneSurrogate;
  if (code >= 0xd800 && code <= 0xdbff) {
    if (json.substr(*at + 5, 2) != "\\u") return kLoneSurrogate;
    const int second = hex4(json, *at + 7);
    if (second < 0) return kBadEscape;
    if (second < 0xdc00 || second > 0xdfff) return kLoneSurrogate;
    code = 0x10000 + ((code - 0xd800) << 10) + (static_cast<uint32_t>(second) - 0xdc00);
    size = 11;
  }
  append_utf8(*text, code);
  *at += size;
  return {};
}

/// The character that a two-character escape means, or 0.
char escaped(char letter) {
  switch (letter) {
    case '"':
    case '\\':
    case '/':
      return letter;
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return 0;
  }
}

}  // namespace

size_t skip_plain(std::string_view json, size_t at) {
  for (uint64_t bytes = 0; at + sizeof bytes <= json.size(); at += sizeof bytes) {
    std::memcpy(&bytes, json.data() + at, sizeof bytes);
    if (is_special(bytes)) break;
  }
  return at;
}

TokenFault read_string(std::string_view json, size_t at, size_t* end, std::string* text) {
  text->clear();
  size_t copied = ++at;
  for (;; at++) {
    at = skip_plain(json, at);
    *end = at;
    if (at >= json.size()) return kNoEnd;
    const char c = json[at];
    if (static_cast<unsigned char>(c) < 0x20) return kControl;
    if (c != '"' && c != '\\') continue;

    text->append(json, copied, at - copied);
    if (c == '"') break;
    at++;
    if (at >= json.size()) return kNoEnd;
    if (json[at] == 'u') {
      if (const TokenFault fault = read_unicode(json, &at, text)) return fault;
    } else {
      const char meant = escaped(json[at]);
      if (meant == 0) return kBadEscape;
      *text += meant;
      at++;
    }
    copied = at--;
  }
  *end = at + 1;
  return {};
}

}  // namespace reprise::json
