// Texts of results, as logs and prompts take them.
#pragma once

#include <string>
#include <string_view>

#include "processes/kit/json.h"

namespace reprise::subconscious {

/// At most so many bytes, cut between characters; valid UTF-8 stays valid.
std::string_view cut(std::string_view text, size_t bytes);
/// The same, with "..." where something was cut.
std::string shortened(std::string_view text, size_t bytes);

/// What a result says: a text as it is, the text of an object that has one ("text", "summary",
/// "output", "result", "stdout"), else its JSON.
std::string words_of(const kit::Json& result);

}  // namespace reprise::subconscious
