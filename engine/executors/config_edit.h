// Adds entries to a config.json as a person wrote it: text is put in, nothing else is touched, so
// comments and order stay.
#pragma once

#include <string>
#include <string_view>

namespace reprise {

/// Puts a member in front of those of the object that the top-level member `key` holds; makes the
/// object when there is none. `text` empty: a new file. Error CONFIG_INVALID, exit 2, when the text
/// is not what it should be there; then what was to be added must be typed by hand, and the hint
/// says it.
std::string add_config_member(std::string_view text, std::string_view key, std::string_view name,
                              std::string_view json);

/// The same for an array: the first element.
std::string add_config_element(std::string_view text, std::string_view key, std::string_view json);

}  // namespace reprise
