// JSON string literals with the fewest escapes, so that equal strings have equal literals.
#include "journal/value.h"

namespace reprise {

namespace {

constexpr char kEscapeDigits[] = "0123456789abcdef";

/// The letter of a two-character escape, or 0 when the character has none.
char short_escape(char c) {
  switch (c) {
    case '"':
    case '\\':
      return c;
    case '\b':
      return 'b';
    case '\f':
      return 'f';
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    default:
      return 0;
  }
}

}  // namespace

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  size_t copied = 0;
  for (size_t i = 0; i < text.size(); i++) {
    const char c = text[i];
    if (static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\') continue;
    out.append(text, copied, i - copied);
    copied = i + 1;
    if (const char letter = short_escape(c)) {
      out += '\\';
      out += letter;
    } else {
      out += "\\u00";
      out += kEscapeDigits[(c >> 4) & 0xf];
      out += kEscapeDigits[c & 0xf];
    }
  }
  out.append(text, copied, text.size() - copied);
  out += '"';
}

std::string quote(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 2);
  append_quoted(out, text);
  return out;
}

}  // namespace reprise
