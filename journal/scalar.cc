#include "journal/scalar.h"

#include <charconv>
#include <cstdint>
#include <system_error>

namespace reprise {

namespace {

constexpr TokenFault kNoEnd{"a string has no end", true};
constexpr TokenFault kBadEscape{"a backslash is followed by no escape", true};
constexpr TokenFault kControl{"a control character in a string must be escaped", true};
constexpr TokenFault kNoNumber{"this is no number", true};
constexpr TokenFault kLoneSurrogate{"half of a surrogate pair stands alone"};
constexpr TokenFault kBeyondDouble{"the number is beyond what a double holds"};
constexpr TokenFault kInexact{
    "a double does not hold this integer exactly; write it as a string, or with a decimal point if "
    "the nearest double will do"};

bool digit(char c) { return c >= '0' && c <= '9'; }

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

/// JSON's grammar of numbers. `integer` says whether there is neither a fraction nor an exponent.
bool number_shape(std::string_view literal, bool* integer) {
  size_t at = 0;
  const auto peek = [&] { return at < literal.size() ? literal[at] : '\0'; };
  const auto digits = [&] {
    const size_t begin = at;
    while (digit(peek())) at++;
    return at > begin;
  };
  if (peek() == '-') at++;
  if (peek() == '0') {
    at++;
  } else if (!digits()) {
    return false;
  }
  *integer = true;
  if (peek() == '.') {
    *integer = false;
    at++;
    if (!digits()) return false;
  }
  if (peek() == 'e' || peek() == 'E') {
    *integer = false;
    at++;
    if (peek() == '+' || peek() == '-') at++;
    if (!digits()) return false;
  }
  return at == literal.size();
}

/// A double that is an integer has finitely many digits; they must be the ones that were written.
bool exact(std::string_view literal, double value) {
  char digits[400];  // the largest double has 309
  const auto [end, error] =
      std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed, 0);
  return error == std::errc() &&
         std::string_view(digits, static_cast<size_t>(end - digits)) == literal;
}

bool all_zero(std::string_view literal) {
  for (const char c : literal) {
    if (c == 'e' || c == 'E') break;
    if (c >= '1' && c <= '9') return false;
  }
  return true;
}

}  // namespace

TokenFault read_string(std::string_view json, size_t at, size_t* end, std::string* text) {
  text->clear();
  size_t copied = ++at;
  for (;; at++) {
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

TokenFault append_canonical_number(std::string& out, std::string_view literal) {
  bool integer = false;
  if (!number_shape(literal, &integer)) return kNoNumber;
  double value = 0;
  const char* const literal_end = literal.data() + literal.size();
  const auto [end, error] = std::from_chars(literal.data(), literal_end, value);
  if (error != std::errc() || end != literal_end) return kBeyondDouble;
  if (value == 0 && !all_zero(literal)) return kBeyondDouble;  // too small for one
  if (integer && !exact(literal, value)) return kInexact;

  char shortest[32];
  const auto [stop, failed] = std::to_chars(shortest, shortest + sizeof shortest, value);
  if (failed != std::errc()) return kBeyondDouble;
  out.append(shortest, static_cast<size_t>(stop - shortest));
  return {};
}

}  // namespace reprise
