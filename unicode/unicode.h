// Unicode, as utf8proc knows it (decision 21): what processes need to look into text. Texts are
// valid UTF-8; what is not valid is passed on as it is.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace reprise::unicode {

/// Code points.
size_t count(std::string_view text);

/// Full case folding, composed: what compares equal is the same word to people.
std::string fold(std::string_view text);

/// The words, folded: the longest stretches of letters, marks, digits and underscores.
std::vector<std::string> words(std::string_view text);

/// The first so many code points.
std::string_view first(std::string_view text, size_t code_points);

/// Without white space at both ends.
std::string_view trimmed(std::string_view text);

/// One space for each stretch of white space, none at the ends.
std::string collapsed(std::string_view text);

}  // namespace reprise::unicode
