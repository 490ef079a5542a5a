// Builds one minified JSON object, member by member, in the order of the calls.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "journal/value.h"

namespace reprise {

class JsonWriter {
 public:
  JsonWriter& raw(std::string_view name, std::string_view json) {
    x_text += x_text.size() == 1 ? "" : ",";
    append_quoted(x_text, name);
    x_text += ':';
    x_text += json;
    return *this;
  }
  JsonWriter& text(std::string_view name, std::string_view value) {
    return raw(name, quote(value));
  }
  JsonWriter& number(std::string_view name, uint64_t value) {
    return raw(name, std::to_string(value));
  }
  JsonWriter& signed_number(std::string_view name, int64_t value) {
    return raw(name, std::to_string(value));
  }
  /// Written only when it is true, as all flags of the formats are.
  JsonWriter& flag(std::string_view name, bool value) { return value ? raw(name, "true") : *this; }
  /// Written only when it is not empty.
  JsonWriter& text_if(std::string_view name, std::string_view value) {
    return value.empty() ? *this : text(name, value);
  }
  JsonWriter& raw_if(std::string_view name, std::string_view json) {
    return json.empty() ? *this : raw(name, json);
  }

  std::string done() { return std::move(x_text += '}'); }

 private:
  std::string x_text = "{";
};

/// The array of what `write` makes of each item: JSON.
template <typename List, typename Write>
std::string array_json(const List& list, Write write) {
  std::string text = "[";
  for (const auto& item : list) {
    if (text.size() > 1) text += ',';
    text += write(item);
  }
  return text + "]";
}

}  // namespace reprise
