// JSON values as users give them: checked, minified, compared. A value is kept as text with its
// number literals; what cannot be kept exactly is refused with a JSON pointer and never changed
// silently.
#pragma once

#include <string>
#include <string_view>

namespace reprise {

constexpr int kMaxValueDepth = 512;
/// A value longer than this (minified) is stored as a blob.
constexpr size_t kInlineValueBytes = size_t{64} << 10;

struct Value {
  std::string text;       ///< minified, members and number literals as given
  std::string reordered;  ///< the canonical form where it is not the text; else empty

  /// Members sorted by their UTF-8 bytes, numbers in shortest form: the identity of the value.
  std::string_view canonical() const { return reordered.empty() ? text : reordered; }
};

/// Refuses (Error INVALID_JSON, exit 2, with line and column or JSON pointer): malformed JSON or
/// UTF-8, duplicate member names, lone surrogates, integers that a double does not hold exactly,
/// numbers beyond a double, nesting deeper than kMaxValueDepth, anything after the value. `what`
/// names the source in the message
/// ("--value result.json").
Value parse_value(std::string_view json, std::string_view what);
/// The same, for what may be large: minified where it stands, so that it is held once, and once
/// more where its canonical form is another.
Value parse_large_value(std::string json, std::string_view what);

/// XXH3-128 of the canonical form, 32 lower-case hex digits: equal for equal values.
std::string value_digest(std::string_view canonical);

/// A JSON string literal with quotes. `text` must be valid UTF-8.
std::string quote(std::string_view text);
void append_quoted(std::string& out, std::string_view text);

}  // namespace reprise
