#include "journal/json_reader.h"

#include <simdjson.h>

#include <charconv>

#include "journal/error.h"

namespace reprise {

namespace {

[[noreturn]] void malformed(std::string_view what, std::string_view text) {
  throw Error(Exit::kCorrupt, "RECORD_MALFORMED",
              "a record's data " + std::string(what) + ": " + std::string(text.substr(0, 80)),
              "its checksum is right, so it was written like this: report it as a bug");
}

std::string_view trimmed(std::string_view raw) {
  while (!raw.empty() && (raw.back() == ' ' || raw.back() == '\n')) raw.remove_suffix(1);
  return raw;
}

template <typename Number>
Number parse_number(std::string_view raw, std::string_view name) {
  if (raw.empty()) return 0;
  Number value = 0;
  const auto [end, error] = std::from_chars(raw.data(), raw.data() + raw.size(), value);
  if (error != std::errc() || end != raw.data() + raw.size()) {
    malformed("has no number in " + std::string(name), raw);
  }
  return value;
}

}  // namespace

std::string_view Members::raw(std::string_view name) const {
  for (const auto& member : x_members) {
    if (member.name == name) return member.raw;
  }
  return {};
}

std::string Members::text(std::string_view name) const {
  const auto literal = raw(name);
  return literal.empty() ? std::string() : unquote(literal);
}

uint64_t Members::number(std::string_view name) const {
  return parse_number<uint64_t>(raw(name), name);
}

int64_t Members::signed_number(std::string_view name) const {
  return parse_number<int64_t>(raw(name), name);
}

struct JsonReader::State {
  simdjson::ondemand::parser parser;
  std::string copy;
};

JsonReader::JsonReader() : x_state(std::make_unique<State>()) {}
JsonReader::~JsonReader() = default;
JsonReader::JsonReader(JsonReader&&) noexcept = default;
JsonReader& JsonReader::operator=(JsonReader&&) noexcept = default;

const Members& JsonReader::members(std::string_view object) {
  auto& list = x_members.x_members;
  list.clear();
  const simdjson::padded_string_view padded(object.data(), object.size(),
                                            object.size() + simdjson::SIMDJSON_PADDING);
  simdjson::ondemand::document document;
  simdjson::ondemand::object fields;
  if (x_state->parser.iterate(padded).get(document) || document.get_object().get(fields)) {
    malformed("is no JSON object", object);
  }
  for (auto field : fields) {
    simdjson::ondemand::raw_json_string key;
    simdjson::ondemand::value value;
    std::string_view raw;
    if (field.key().get(key) || field.value().get(value) ||
        simdjson::to_json_string(value).get(raw)) {
      malformed("is no JSON object", object);
    }
    const char* begin = key.raw();
    const char* end = begin;
    while (*end != '"') end += *end == '\\' ? 2 : 1;
    list.push_back({{begin, static_cast<size_t>(end - begin)}, trimmed(raw)});
  }
  return x_members;
}

const Members& JsonReader::members_of_copy(std::string_view object) {
  x_state->copy.assign(object);
  x_state->copy.append(simdjson::SIMDJSON_PADDING, ' ');
  return members(std::string_view(x_state->copy).substr(0, object.size()));
}

std::vector<std::string_view> array_elements(std::string_view array) {
  simdjson::ondemand::parser parser;
  const simdjson::padded_string copy(array);
  simdjson::ondemand::document document;
  simdjson::ondemand::array elements;
  if (parser.iterate(copy).get(document) || document.get_array().get(elements)) {
    malformed("is no JSON array", array);
  }
  std::vector<std::string_view> list;
  for (auto element : elements) {
    simdjson::ondemand::value value;
    std::string_view raw;
    if (element.get(value) || simdjson::to_json_string(value).get(raw)) {
      malformed("is no JSON array", array);
    }
    raw = trimmed(raw);
    list.push_back(array.substr(static_cast<size_t>(raw.data() - copy.data()), raw.size()));
  }
  return list;
}

std::string unquote(std::string_view literal) {
  if (literal.size() < 2 || literal.front() != '"' || literal.back() != '"') {
    malformed("has no string", literal);
  }
  const auto inner = literal.substr(1, literal.size() - 2);
  if (inner.find('\\') == std::string_view::npos) return std::string(inner);
  simdjson::ondemand::parser parser;
  const simdjson::padded_string copy(literal);
  simdjson::ondemand::document document;
  std::string_view text;
  if (parser.iterate(copy).get(document) || document.get_string().get(text)) {
    malformed("has no string", literal);
  }
  return std::string(text);
}

}  // namespace reprise
