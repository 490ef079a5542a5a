// JSON scalars as they stand in the text: what is acceptable, and their canonical form.
#pragma once

#include <string>
#include <string_view>

namespace reprise {

/// What is wrong with a token. `syntax` tells malformed JSON from JSON that cannot be kept exactly.
struct TokenFault {
  const char* reason = nullptr;  ///< nullptr: nothing
  bool syntax = false;
  explicit operator bool() const { return reason != nullptr; }
};

/// Reads the string literal that begins at json[at], a quote. `end` is set behind it, or to where
/// it went wrong; `text` to what it says, in UTF-8. The bytes must be valid UTF-8.
TokenFault read_string(std::string_view json, size_t at, size_t* end, std::string* text);

/// Appends the shortest literal that reads as the same double. 1, 1.0 and 1e0 are one number; 0 and
/// -0 are two, because a process can tell them apart. An integer literal must be one that a double
/// holds exactly.
TokenFault append_canonical_number(std::string& out, std::string_view literal);

}  // namespace reprise
