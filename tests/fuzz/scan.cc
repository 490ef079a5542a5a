// The walks over JSON text that was checked before: on text that was not, they may find anything,
// but nothing outside of it; on values they find what is there.
#include "json/scan.h"

#include <array>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>

#include "journal/error.h"
#include "journal/json_reader.h"
#include "journal/value.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/target.h"

namespace reprise::fuzz {

namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 10> kWords = {"{\"a\":", "\"\\", "\\\"", "[[", "]]",
                                                     "{}",      "[]",   ",",    ":",  "12345678"};
constexpr int kDeepest = 32;

/// Exactly the bytes: a look behind them is one that the sanitizer sees.
class Exact {
 public:
  explicit Exact(std::string_view text) : x_bytes(new char[text.size()]), x_size(text.size()) {
    std::memcpy(x_bytes.get(), text.data(), text.size());
  }
  std::string_view view() const { return {x_bytes.get(), x_size}; }

 private:
  std::unique_ptr<char[]> x_bytes;
  size_t x_size;
};

void expect_inside(std::string_view piece, std::string_view text) {
  expect(piece.data() >= text.data() && piece.data() + piece.size() <= text.data() + text.size(),
         "what is found lies in the text");
}

void walk(std::string_view text, int depth) {
  if (depth == kDeepest) return;
  json::members(text, [&](std::string_view name, std::string_view raw) {
    expect_inside(name, text);
    expect_inside(raw, text);
    walk(raw, depth + 1);
  });
  json::elements(text, [&](std::string_view raw) {
    expect_inside(raw, text);
    walk(raw, depth + 1);
  });
}

/// Verbs in the order that the first bytes say, going on after those that found nothing.
void use_cursor(std::string_view verbs, std::string_view text) {
  const std::string_view marks = "{}[]:,\"";
  json::Cursor cursor(text);
  std::string_view found;
  for (const char verb : verbs) {
    const auto number = static_cast<unsigned char>(verb);
    bool is_there = false;
    switch (number % 4) {
      case 0:
        is_there = cursor.value(found);
        break;
      case 1:
        is_there = cursor.string(found);
        break;
      case 2:
        cursor.take(marks[number / 4 % marks.size()]);
        break;
      default:
        cursor.at_end();
    }
    if (is_there) expect_inside(found, text);
  }
}

Json rebuilt(std::string_view raw, Subject subject) {
  Json list = Json::array();
  Json object = Json::object();
  if (json::elements(raw, [&](std::string_view item) { list.push_back(rebuilt(item, subject)); })) {
    return list;
  }
  if (json::members(raw, [&](std::string_view name, std::string_view value) {
        const auto key = "\"" + std::string(name) + "\"";
        object[subject == Subject::kReal ? unquote(key) : key] = rebuilt(value, subject);
      })) {
    return object;
  }
  return Json::parse(raw);
}

void check(std::string_view bytes, Subject subject) {
  Input input(bytes);
  const auto verbs = input.line();
  const Exact text(input.rest());
  use_cursor(verbs, text.view());
  walk(text.view(), 0);
  try {
    const auto value = parse_value(text.view(), "the input");
    const Exact kept(value.text);
    expect(rebuilt(kept.view(), subject) == Json::parse(value.text), "the walk finds everything");
  } catch (const Error&) {
    // It is no value: that nothing outside was read is all there is to say.
  }
  try {
    JsonReader reader;
    for (const auto& member : reader.members(text.view())) unquote(member.raw);
  } catch (const Error& error) {
    expect(error.code() == "RECORD_MALFORMED", "the reader refuses in its own words");
  }
}

}  // namespace

const Target kTarget{"scan", kWords, check};

}  // namespace reprise::fuzz
