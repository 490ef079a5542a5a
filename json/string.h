// JSON strings as they stand in a text.
#pragma once

#include <string>
#include <string_view>

namespace reprise::json {

/// What is wrong with a token. `syntax` tells malformed JSON from JSON that cannot be kept exactly.
struct TokenFault {
  const char* reason = nullptr;  ///< nullptr: nothing
  bool syntax = false;
  explicit operator bool() const { return reason != nullptr; }
};

/// Reads the string literal that begins at json[at], a quote. `end` is set behind it, or to where
/// it went wrong; `text` to what it says, in UTF-8. The bytes must be valid UTF-8.
TokenFault read_string(std::string_view json, size_t at, size_t* end, std::string* text);

/// Some way on from `at` within a string, not beyond the next byte that is a quote, a backslash or
/// a control character.
size_t skip_plain(std::string_view json, size_t at);

}  // namespace reprise::json
