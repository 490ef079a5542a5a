// What an analysis recommends, read with patience: models write Markdown.
#pragma once

#include <string>
#include <string_view>

namespace reprise::subconscious {

struct Recommendation {
  std::string action;    ///< exactly what would be run; empty: none, or "none"
  std::string findings;  ///< what stands before it
};

/// All that follows "RECOMMENDED ACTION:" at the beginning of a line, in whatever case, as an item,
/// a heading or a quote, with or without emphasis. Several of them are one action, as a numbered
/// list: a task asks one question at a time.
Recommendation recommendation_in(std::string_view analysis);

}  // namespace reprise::subconscious
