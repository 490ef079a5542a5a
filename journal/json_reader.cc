#include "journal/json_reader.h"

#include <charconv>

#include "journal/error.h"
#include "journal/scalar.h"
#include "json/scan.h"

namespace reprise {

namespace {

[[noreturn]] void malformed(std::string_view what, std::string_view text) {
  throw Error(Exit::kCorrupt, "RECORD_MALFORMED",
              "a record's data " + std::string(what) + ": " + std::string(text.substr(0, 80)),
              "its checksum is right, so it was written like this: report it as a bug");
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

const Members& JsonReader::members(std::string_view object) {
  auto& list = x_members.x_members;
  list.clear();
  const bool read = json::members(object, [&](std::string_view name, std::string_view raw) {
    list.push_back({name, raw});
  });
  if (!read) malformed("is no JSON object", object);
  return x_members;
}

const Members& JsonReader::members_of_copy(std::string_view object) {
  x_copy.assign(object);
  return members(x_copy);
}

std::vector<std::string_view> array_elements(std::string_view array) {
  std::vector<std::string_view> list;
  if (!json::elements(array, [&](std::string_view raw) { list.push_back(raw); })) {
    malformed("is no JSON array", array);
  }
  return list;
}

std::string unquote(std::string_view literal) {
  std::string text;
  size_t end = 0;
  if (literal.empty() || literal.front() != '"' || read_string(literal, 0, &end, &text) ||
      end != literal.size()) {
    malformed("has no string", literal);
  }
  return text;
}

}  // namespace reprise
