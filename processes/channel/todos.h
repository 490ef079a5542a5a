// What a text says is to be done.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace reprise::channel {

/// One for each line that says so, in order, its white space collapsed; the first form that fits:
///   "- [ ] text", "* [ ] text"               the text (of open boxes only)
///   "todo: text", "todo text"                the text
///   "сделай ...", "нужно ...", "надо ..."    the whole line
/// Upper and lower case are the same. Texts of less than 6 code points are none; of texts that
/// differ only in case, the first is taken.
std::vector<std::string> extract_todos(std::string_view text);

}  // namespace reprise::channel
