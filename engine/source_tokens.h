// Reads JavaScript as a row of tokens, without understanding it: enough to find a call, a comment
// or a function's parameters, with their places, in far less time than parsing takes. What it gets
// wrong (a division taken for a regular expression) spoils at most a line; nothing is decided by
// it, it only finds what is told to people.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace reprise {

struct SourceToken {
  enum class Kind : uint8_t {
    kWord,     ///< a name, a keyword or a number
    kText,     ///< a string, or a template without substitutions; `text` is what is in the quotes
    kMark,     ///< one character, but "?." "??" "||" "&&" "=>" "==" are whole
    kComment,  ///< with its slashes
  };
  Kind kind = Kind::kMark;
  std::string_view text;  ///< points into the source
  size_t offset = 0;
};

std::vector<SourceToken> read_tokens(std::string_view source);

/// Both 1-based; columns count characters.
struct SourcePlace {
  uint32_t line = 1;
  uint32_t column = 1;
};
SourcePlace place_at(std::string_view source, size_t offset);

}  // namespace reprise
