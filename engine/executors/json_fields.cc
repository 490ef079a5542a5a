#include "engine/executors/json_fields.h"

#include "engine/units.h"
#include "journal/nesting.h"
#include "journal/value.h"

namespace reprise {

namespace {

bool is_scalar(const OrderedJson& json) {
  return json.is_string() || json.is_number() || json.is_boolean();
}

std::string word(const OrderedJson& json) {
  return json.is_string() ? json.get<std::string>() : json.dump();
}

}  // namespace

OrderedJson parse_json(std::string_view text) {
  if (nesting_depth(text) > kMaxValueDepth) return OrderedJson(OrderedJson::value_t::discarded);
  return OrderedJson::parse(text, nullptr, false);
}

bool is_json(std::string_view text) {
  return nesting_depth(text) <= kMaxValueDepth && OrderedJson::accept(text);
}

OrderedJson parse_object(std::string_view text) {
  OrderedJson json = parse_json(text);
  return json.is_object() ? json : OrderedJson::object();
}

const OrderedJson& field(const OrderedJson& json, const char* name) {
  static const OrderedJson kNull;
  if (!json.is_object()) return kNull;
  const auto found = json.find(name);
  return found == json.end() ? kNull : *found;
}

std::string text_field(const OrderedJson& json, const char* name, const std::string& otherwise) {
  const auto& found = field(json, name);
  return found.is_string() ? found.get<std::string>() : otherwise;
}

int64_t number_field(const OrderedJson& json, const char* name, int64_t otherwise) {
  const auto& found = field(json, name);
  if (found.is_number_unsigned() && found.get<uint64_t>() > INT64_MAX) return otherwise;
  if (found.is_number_float()) {
    constexpr double kBeyond = 9223372036854775808.0;  // 2^63; a conversion of more is undefined
    const auto number = found.get<double>();
    return number >= -kBeyond && number < kBeyond ? static_cast<int64_t>(number) : otherwise;
  }
  return found.is_number_integer() ? found.get<int64_t>() : otherwise;
}

int64_t duration_field(const OrderedJson& json, const char* name, int64_t otherwise) {
  return parse_duration(text_field(json, name)).value_or(otherwise);
}

uint64_t size_field(const OrderedJson& json, const char* name, uint64_t otherwise) {
  const auto& found = field(json, name);
  if (found.is_number_unsigned()) return found.get<uint64_t>();
  return parse_size(text_field(json, name)).value_or(otherwise);
}

bool flag_field(const OrderedJson& json, const char* name, bool otherwise) {
  const auto& found = field(json, name);
  return found.is_boolean() ? found.get<bool>() : otherwise;
}

OrderedJson at_pointer(const OrderedJson& document, const std::string& pointer) {
  try {
    const OrderedJson::json_pointer where(pointer);
    return document.contains(where) ? document.at(where) : OrderedJson();
  } catch (const OrderedJson::exception&) {
    return {};  // it is no pointer
  }
}

bool has_values(const OrderedJson& document, const OrderedJson& values) {
  if (!values.is_object()) return true;
  for (const auto& [pointer, value] : values.items()) {
    if (at_pointer(document, pointer) != value) return false;
  }
  return true;
}

std::vector<std::string> texts_field(const OrderedJson& json, const char* name) {
  const auto& found = field(json, name);
  std::vector<std::string> texts;
  if (is_scalar(found)) texts.push_back(word(found));
  if (!found.is_array()) return texts;
  for (const auto& element : found) {
    if (is_scalar(element)) texts.push_back(word(element));
  }
  return texts;
}

std::map<std::string, std::string> pairs_field(const OrderedJson& json, const char* name) {
  std::map<std::string, std::string> pairs;
  const auto& found = field(json, name);
  if (!found.is_object()) return pairs;
  for (const auto& [key, value] : found.items()) {
    if (is_scalar(value)) pairs[key] = word(value);
  }
  return pairs;
}

std::string json_text(const OrderedJson& json) {
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace reprise
