// Text below the level of values: JSON literals, UTF-8, numbers and times, without an engine
// context.
#pragma once

#include <js/GCAPI.h>
#include <js/String.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace reprise::script {

/// Both append all of the string; false when it holds a lone surrogate, for which U+FFFD is
/// written.
bool append_utf8(JSLinearString* string, std::string& out);
bool append_json_string(JSLinearString* string, std::string& out);

void append_integer(std::string& out, int64_t number);

/// The text of a JSON string literal as append_json_string writes it.
std::string unescape_json_string(std::string_view literal);

}  // namespace reprise::script
