// How deep a text nests, before anything is built of it: walks over a JSON document recurse.
#pragma once

#include <cstddef>
#include <string_view>

namespace reprise {

/// The most brackets and braces that are open at once, those in strings aside. The text may be
/// anything.
size_t nesting_depth(std::string_view text);

}  // namespace reprise
