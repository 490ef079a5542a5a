// Documents: what commands print as JSON.
//
// Values that users gave are kept as the text that the journal holds, number literals included.
// Such a value joins a document as a *raw* node, which is printed as it is and never parsed on the
// way.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace reprise {

using Document = nlohmann::ordered_json;

/// The version of all documents; a member is only ever added while it stays the same.
constexpr std::string_view kSchemaVersion = "reprise.cli.1";
/// An object that begins as every document does.
Document new_document();

/// A node that is this JSON text; null when it is empty.
Document raw_json(std::string_view json);
bool is_raw(const Document& node);
/// The text of a raw node, or the node printed.
std::string json_of(const Document& node);

/// One line, no spaces. Bytes that are no UTF-8 become U+FFFD.
std::string print_json(const Document& document);

/// The text of a member; empty when it is not there or no text.
std::string member_text(const Document& object, const char* name);
/// The same of a whole number, as text.
std::string member_number(const Document& object, const char* name);

/// The value at a JSON pointer (RFC 6901): a string without quotes and escapes, anything else as
/// JSON. nullopt when nothing is there.
std::optional<std::string> get_pointer(const Document& document, std::string_view pointer);
/// "" or "/a/b~1c": begins with a slash, "~" only in "~0" and "~1".
bool valid_pointer(std::string_view pointer);

}  // namespace reprise
