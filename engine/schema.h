// The author's outputSchema, by which posted results are judged. JSON Schema draft 7, as far as
// valijson implements it (docs/decisions/0011-json-schema.md).
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace reprise {

/// Throws OUTPUT_INVALID (exit 2, with the JSON pointer of the first violation in the message and
/// in the details) when the value is not what the schema describes, and SCHEMA_INVALID (exit 2,
/// with the place in the schema where it can be told) when the schema is none. `effect` is named in
/// the texts: "t3". Both texts are JSON; a schema that is a JSON string names one of the program's
/// own: "reprise:model-result".
void check_schema(std::string_view schema, std::string_view value, const std::string& effect);

/// The same by the outputSchema of a task's definition; one that has none takes everything.
void check_output(std::string_view definition, std::string_view value, const std::string& effect);

/// The schema that a JSON string such as "reprise:model-result" names; empty for everything else.
std::string_view named_schema(std::string_view schema);

/// What in a value is not as a schema wants it.
struct Violation {
  std::string pointer;  ///< "" is the whole value
  std::string why;
};
/// Judges by one of the program's own schemas (schemas/schemas.h), such as "config".
std::optional<Violation> find_violation(std::string_view schema_name, std::string_view value);
/// By such a schema, or a part of one that stands for itself.
std::optional<Violation> judge(const nlohmann::json& schema, const nlohmann::json& value);

/// Tells whether a short text, such as a name, holds what a pattern describes; a text of more than
/// 256 bytes matches none.
using Matcher = std::function<bool(const std::string&)>;
/// Of a pattern as the program's own schemas write them: one that is none throws std::regex_error.
Matcher matcher(const std::string& pattern);

}  // namespace reprise
