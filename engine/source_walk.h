// A walk over the tokens of a source that are not comments; behind the end everything is empty.
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "engine/source_tokens.h"

namespace reprise {

class SourceWalk {
 public:
  explicit SourceWalk(const std::vector<SourceToken>& tokens) {
    std::ranges::copy_if(tokens, std::back_inserter(x_tokens), [](const SourceToken& token) {
      return token.kind != SourceToken::Kind::kComment;
    });
  }
  size_t size() const { return x_tokens.size(); }
  const SourceToken& at(size_t index) const {
    static const SourceToken kNone;
    return index < x_tokens.size() ? x_tokens[index] : kNone;
  }
  bool is(size_t index, std::string_view text) const {
    return at(index).kind != SourceToken::Kind::kText && at(index).text == text;
  }
  bool is_word(size_t index) const { return at(index).kind == SourceToken::Kind::kWord; }
  bool is_text(size_t index) const {
    return index < size() && at(index).kind == SourceToken::Kind::kText;
  }

  /// The index of the bracket that closes the one at `open`, or size().
  size_t closing(size_t open) const {
    int depth = 0;
    for (size_t i = open; i < size(); ++i) {
      if (is(i, "(") || is(i, "[") || is(i, "{")) ++depth;
      if ((is(i, ")") || is(i, "]") || is(i, "}")) && --depth == 0) return i;
    }
    return size();
  }

  /// Where the item that begins at `from` ends: at the next comma or closing bracket.
  size_t end_of_item(size_t from) const {
    size_t i = from;
    for (; i < size() && !is(i, ",") && !is(i, ")") && !is(i, "]") && !is(i, "}"); ++i) {
      if (is(i, "(") || is(i, "[") || is(i, "{")) i = closing(i);
    }
    return std::min(i, size());
  }

 private:
  std::vector<SourceToken> x_tokens;
};

}  // namespace reprise
