// What a card is called.
#pragma once

#include <string>
#include <string_view>

namespace reprise::board {

/// Code points.
constexpr size_t kLongestTitle = 120;

/// Titles that are the same for people are the same text: folded, spaces collapsed.
std::string normal_title(std::string_view title);
/// The title of what is to be done: its first sentence, unless that is very short; never longer
/// than a title may be.
std::string title_of(std::string_view todo);

}  // namespace reprise::board
