// Configuration and tasks as people wrote them: a member that is absent, or of another type, counts
// as absent.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace reprise {

using OrderedJson = nlohmann::ordered_json;

/// JSON from programs and endpoints: discarded when it is none, and when it is nested deeper than a
/// value may be.
OrderedJson parse_json(std::string_view text);
/// Would it be parsed? Without the memory that this takes.
bool is_json(std::string_view text);
/// An empty object when the text is none.
OrderedJson parse_object(std::string_view text);
/// The member, or null.
const OrderedJson& field(const OrderedJson& json, const char* name);
std::string text_field(const OrderedJson& json, const char* name,
                       const std::string& otherwise = {});
int64_t number_field(const OrderedJson& json, const char* name, int64_t otherwise = 0);
/// "30s", in milliseconds.
int64_t duration_field(const OrderedJson& json, const char* name, int64_t otherwise = 0);
/// A number of bytes, or "16MiB".
uint64_t size_field(const OrderedJson& json, const char* name, uint64_t otherwise);
bool flag_field(const OrderedJson& json, const char* name, bool otherwise = false);
/// What a JSON pointer names, or null.
OrderedJson at_pointer(const OrderedJson& document, const std::string& pointer);
/// Has the document all of these values, {POINTER: VALUE, ...}? null fits what is absent.
bool has_values(const OrderedJson& document, const OrderedJson& values);
/// A text alone counts as a list of it; numbers and flags become texts.
std::vector<std::string> texts_field(const OrderedJson& json, const char* name);
/// Name to text; numbers and flags become texts.
std::map<std::string, std::string> pairs_field(const OrderedJson& json, const char* name);
/// One line. Bytes that are no UTF-8 become U+FFFD.
std::string json_text(const OrderedJson& json);

}  // namespace reprise
