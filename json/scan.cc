// Most of a text is the inside of strings: eight bytes are looked at together there.
#include "json/scan.h"

#include <cstdint>
#include <cstring>

namespace reprise::json {

namespace {

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/// Is one of the eight bytes `c`?
bool holds(uint64_t bytes, char c) {
  constexpr uint64_t kOnes = 0x0101010101010101;
  const uint64_t zero_where_c = bytes ^ (kOnes * static_cast<unsigned char>(c));
  return ((zero_where_c - kOnes) & ~zero_where_c & (kOnes * 0x80)) != 0;
}

}  // namespace

bool Cursor::take(char c) {
  skip_space();
  if (x_at == x_end || *x_at != c) return false;
  ++x_at;
  return true;
}

bool Cursor::value(std::string_view& raw) {
  skip_space();
  if (x_at == x_end) return false;
  const char* const begin = x_at;
  if (*begin == '"') {
    if (!skip_string()) return false;
  } else if (*begin == '{' || *begin == '[') {
    if (!skip_nested()) return false;
  } else {
    skip_scalar();
  }
  raw = {begin, static_cast<size_t>(x_at - begin)};
  return !raw.empty();
}

bool Cursor::string(std::string_view& inner) {
  skip_space();
  if (x_at == x_end || *x_at != '"') return false;
  const char* const begin = x_at + 1;
  if (!skip_string()) return false;
  inner = {begin, static_cast<size_t>(x_at - begin) - 1};
  return true;
}

bool Cursor::at_end() {
  skip_space();
  return x_at == x_end;
}

void Cursor::skip_space() {
  while (x_at != x_end && is_space(*x_at)) ++x_at;
}

bool Cursor::skip_string() {
  ++x_at;
  while (true) {
    uint64_t bytes = 0;
    while (x_end - x_at >= static_cast<std::ptrdiff_t>(sizeof bytes)) {
      std::memcpy(&bytes, x_at, sizeof bytes);
      if (holds(bytes, '"') || holds(bytes, '\\')) break;
      x_at += sizeof bytes;
    }
    while (x_at != x_end && *x_at != '"' && *x_at != '\\') ++x_at;
    if (x_at == x_end) return false;
    if (*x_at++ == '"') return true;
    if (x_at == x_end) return false;  // the text ends behind a backslash
    ++x_at;
  }
}

bool Cursor::skip_nested() {
  int depth = 0;
  while (x_at != x_end) {
    switch (*x_at) {
      case '"':
        if (!skip_string()) return false;
        continue;
      case '{':
      case '[':
        ++depth;
        break;
      case '}':
      case ']':
        --depth;
        break;
      default:
        break;
    }
    ++x_at;
    if (depth == 0) return true;
  }
  return false;
}

void Cursor::skip_scalar() {
  while (x_at != x_end && !is_space(*x_at) && *x_at != ',' && *x_at != '}' && *x_at != ']') ++x_at;
}

}  // namespace reprise::json
