#include "unicode/unicode.h"

#include <utf8proc.h>

#include <cstdlib>
#include <memory>
#include <utility>

namespace reprise::unicode {

namespace {

/// The next code point; its bytes are taken off. An invalid byte counts as one, U+FFFD.
utf8proc_int32_t take(std::string_view& text) {
  utf8proc_int32_t code = 0;
  const auto size = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                     static_cast<utf8proc_ssize_t>(text.size()), &code);
  text.remove_prefix(size > 0 ? static_cast<size_t>(size) : 1);
  return size > 0 ? code : 0xFFFD;
}

bool is_of_word(utf8proc_int32_t code) {
  switch (utf8proc_category(code)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_PC:
      return true;
    default:
      return false;
  }
}

bool is_space(utf8proc_int32_t code) {
  const auto category = utf8proc_category(code);
  return (code >= '\t' && code <= '\r') || category == UTF8PROC_CATEGORY_ZS ||
         category == UTF8PROC_CATEGORY_ZL || category == UTF8PROC_CATEGORY_ZP;
}

}  // namespace

size_t count(std::string_view text) {
  size_t code_points = 0;
  for (const char c : text) code_points += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
  return code_points;
}

std::string fold(std::string_view text) {
  utf8proc_uint8_t* folded = nullptr;
  const auto options =
      static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD);
  const auto size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                 static_cast<utf8proc_ssize_t>(text.size()), &folded, options);
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(folded, std::free);
  if (size < 0) return std::string(text);
  return {reinterpret_cast<const char*>(folded), static_cast<size_t>(size)};
}

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> found;
  const auto folded = fold(text);
  std::string_view rest = folded;
  std::string word;
  while (!rest.empty()) {
    const auto before = rest;
    const bool inside = is_of_word(take(rest));
    if (inside) word += before.substr(0, before.size() - rest.size());
    if ((!inside || rest.empty()) && !word.empty()) found.push_back(std::exchange(word, {}));
  }
  return found;
}

std::string_view first(std::string_view text, size_t code_points) {
  auto rest = text;
  for (size_t taken = 0; taken < code_points && !rest.empty(); ++taken) take(rest);
  return text.substr(0, text.size() - rest.size());
}

std::string_view trimmed(std::string_view text) {
  auto rest = text;
  size_t begin = text.size();
  size_t end = 0;
  while (!rest.empty()) {
    const auto at = text.size() - rest.size();
    if (is_space(take(rest))) continue;
    if (begin == text.size()) begin = at;
    end = text.size() - rest.size();
  }
  return begin < end ? text.substr(begin, end - begin) : std::string_view();
}

std::string collapsed(std::string_view text) {
  std::string out;
  for (auto rest = trimmed(text); !rest.empty();) {
    const auto character = first(rest, 1);
    rest.remove_prefix(character.size());
    if (!trimmed(character).empty()) {
      out += character;
    } else if (!out.ends_with(' ')) {
      out += ' ';
    }
  }
  return out;
}

}  // namespace reprise::unicode
