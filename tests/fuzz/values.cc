// Values as users give them, before a second judge: nlohmann/json, with our stricter rules on top
// of it. Both must take and refuse the same texts, and nothing may change on the way.
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>

#include "journal/error.h"
#include "journal/value.h"
#include "tests/fuzz/target.h"

namespace reprise::fuzz {

namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 24> kWords = {"{\"a\":1,\"a\":2}",
                                                     "\\ud800",
                                                     "\\udc00",
                                                     "\\ud83d\\ude00",
                                                     "\\u0000",
                                                     "\\u0061",
                                                     "\\/",
                                                     "9007199254740993",
                                                     "9007199254740992",
                                                     "1e999",
                                                     "1e-999",
                                                     "-0",
                                                     "-0.0",
                                                     "1E+2",
                                                     "0.1e1",
                                                     "123456789012345678901234567890",
                                                     "null",
                                                     "true",
                                                     "\"\"",
                                                     "[[[[[[[[[[[[[[[[[[[[",
                                                     "{\"\":",
                                                     "\xc3\xa4",
                                                     "\xed\xa0\x80",
                                                     "\xf0\x9f\x98\x80"};

bool has_digit_but_0(const std::string& literal) {
  return literal.substr(0, literal.find_first_of("eE")).find_first_of("123456789") !=
         std::string::npos;
}

/// The rules of docs and journal/value.h beyond JSON's own.
class Judge final : public nlohmann::json_sax<Json> {
 public:
  bool accepts = true;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t number) override { return whole(std::to_string(number)); }
  bool number_unsigned(number_unsigned_t number) override { return whole(std::to_string(number)); }
  bool number_float(number_float_t number, const string_t& literal) override {
    if (literal.find_first_of(".eE") == std::string::npos) return whole(literal);
    return std::isfinite(number) && (number != 0 || !has_digit_but_0(literal)) ? true : refuse();
  }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(size_t) override { return open(); }
  bool start_array(size_t) override { return open(); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override { return x_names.back().insert(name).second || refuse(); }
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception&) override {
    return refuse();
  }

 private:
  bool refuse() { return accepts = false; }
  bool open() {
    x_names.emplace_back();
    return x_names.size() <= kMaxValueDepth || refuse();
  }
  bool close() {
    x_names.pop_back();
    return true;
  }
  /// Printed in full, the nearest double has the digits of the literal.
  bool whole(const std::string& literal) {
    char digits[400];
    std::snprintf(digits, sizeof digits, "%.0f", std::strtod(literal.c_str(), nullptr));
    return literal == digits || literal == "-0" || refuse();
  }

  std::vector<std::set<std::string>> x_names;
};

bool judge(std::string_view text) {
  // nlohmann/json takes a NUL for the end, and passes over a byte order mark.
  if (text.find('\0') != std::string_view::npos || text.starts_with("\xef\xbb\xbf")) return false;
  Judge judge;
  Json::sax_parse(text, &judge);
  return judge.accepts;
}

std::optional<Value> read(std::string_view text, Subject subject) {
  try {
    return parse_value(text, "the input");
  } catch (const Error& error) {
    expect(error.exit() == Exit::kUsage && error.code() == "INVALID_JSON", "a refusal is one");
    expect(Json::accept(error.details()), "a refusal tells its place in JSON");
  }
  // As a reader would that takes all that is JSON: the last of two members, the nearest number.
  if (subject == Subject::kReal || !Json::accept(text)) return std::nullopt;
  const auto taken = Json::parse(text).dump();
  return Value{taken, {}};
}

void check(std::string_view text, Subject subject) {
  const auto value = read(text, subject);
  expect(value.has_value() == judge(text), "both judges say the same");
  if (!value) return;
  const auto meant = Json::parse(text);
  expect(Json::parse(value->text) == meant, "the text that is kept means the same");
  expect(Json::accept(value->canonical()), "the canonical form is JSON");
  expect(Json::parse(value->canonical()) == meant, "the canonical form means the same");
  const auto kept = read(value->text, Subject::kReal);
  expect(kept.has_value(), "the text that is kept is a value");
  expect_equal(kept->text, value->text, "to minify twice is to minify once");
  expect_equal(kept->canonical(), value->canonical(),
               "the canonical form is that of the kept text");
  const auto canonical = read(value->canonical(), Subject::kReal);
  expect(canonical.has_value(), "the canonical form is a value");
  expect_equal(canonical->canonical(), value->canonical(), "the canonical form is its own");
}

}  // namespace

const Target kTarget{"values", kWords, check};

}  // namespace reprise::fuzz
