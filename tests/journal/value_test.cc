#include "journal/value.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <random>

#include "journal/error.h"

using namespace reprise;

namespace {

/// "line 1, column 4" or "at /a" or "" when the value is accepted.
std::string refusal(std::string_view json) {
  try {
    parse_value(json, "test");
    return "";
  } catch (const Error& error) {
    CHECK(error.code() == "INVALID_JSON");
    CHECK(error.exit() == Exit::kUsage);
    CHECK(error.message().starts_with("test: "));
    const auto details = nlohmann::json::parse(error.details());
    if (details.contains("pointer")) return "at " + details["pointer"].get<std::string>();
    return "line " + details["line"].dump() + ", column " + details["column"].dump();
  }
}

std::string canonical(std::string_view json) {
  return std::string(parse_value(json, "test").canonical());
}

std::string nested(size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

}  // namespace

TEST_CASE("a value keeps its members' order and its literals") {
  const Value value =
      parse_value(" { \"b\" : 1.50 , \"a\" : [ 1e2 , -0 , \"\\u00e9\\/\" ] } \n", "test");
  CHECK(value.text == R"({"b":1.50,"a":[1e2,-0,"\u00e9\/"]})");
  CHECK(value.canonical() == "{\"a\":[100,-0,\"\xc3\xa9/\"],\"b\":1.5}");
}

TEST_CASE("scalars are values") {
  for (const char* scalar : {"null", "true", "false", "0", "-1.5", "\"\"", "\"a\""}) {
    CHECK(parse_value(scalar, "test").text == scalar);
    CHECK(parse_value(std::string("\n ") + scalar + "\t\r\n", "test").text == scalar);
  }
}

TEST_CASE("equal values have one canonical form") {
  CHECK(canonical("1") == canonical("1.0"));
  CHECK(canonical("1") == canonical("1e0"));
  CHECK(canonical("100000000000000000000") == canonical("1e20"));
  CHECK(canonical("0.1") == canonical("0.10000000000000000555"));
  CHECK(canonical("0") == canonical("0.0e5"));
  CHECK(canonical("\"\\u0041\\n\"") == canonical("\"A\\u000a\""));
  CHECK(canonical("\"\\ud83d\\ude00\"") == canonical("\"\xf0\x9f\x98\x80\""));
  CHECK(canonical(R"({"a":{"y":1,"x":2},"b":3})") == canonical(R"({"b":3,"a":{"x":2,"y":1}})"));
  CHECK(value_digest(canonical(R"({"a":1,"b":2})")) ==
        value_digest(canonical(R"({"b":2.0,"a":1})")));
}

TEST_CASE("different values have different canonical forms") {
  CHECK(canonical("0") != canonical("-0"));
  CHECK(canonical("1") != canonical("\"1\""));
  CHECK(canonical("[]") != canonical("{}"));
  CHECK(canonical("[1,2]") != canonical("[2,1]"));
  CHECK(canonical("null") != canonical("false"));
  CHECK(canonical("0.1") != canonical("0.10000000000000001666"));
  CHECK(canonical("\"\xc3\xa9\"") != canonical("\"e\xcc\x81\""));
}

TEST_CASE("members are ordered by their UTF-8 bytes") {
  CHECK(canonical("{\"\xc3\xa9\":1,\"z\":2,\"\":3,\"Z\":4}") ==
        "{\"\":3,\"Z\":4,\"z\":2,\"\xc3\xa9\":1}");
}

TEST_CASE("integers that a double holds are kept, whatever their size") {
  for (const char* good : {"9007199254740992", "-9007199254740992", "9007199254740994",
                           "18446744073709551616", "1180591620717411303424"}) {
    INFO(good);
    CHECK(parse_value(good, "test").text == good);
  }
}

TEST_CASE("numbers that cannot be kept are refused with a pointer") {
  CHECK(refusal("9007199254740993") == "at ");
  CHECK(refusal("{\"a\":[0,-9007199254740993]}") == "at /a/1");
  CHECK(refusal("[18446744073709551615]") == "at /0");
  CHECK(refusal("[1e400]") == "at /0");
  CHECK(refusal("[-1e400]") == "at /0");
  CHECK(refusal("[1e-400]") == "at /0");
  CHECK(refusal("[1" + std::string(400, '0') + "]") == "at /0");
  CHECK(refusal("[0e999]").empty());
}

TEST_CASE("duplicate members are refused, however they are written") {
  CHECK(refusal(R"({"a":1,"b":{"c":1,"d":2,"c":3}})") == "at /b/c");
  CHECK(refusal(R"({"a":1,"\u0061":1})") == "at /a");
  CHECK(refusal(R"({"x/~":1,"x/~":1})") == "at /x~1~0");
  CHECK(refusal(R"({"a":{"a":1},"b":{"a":1}})").empty());
}

TEST_CASE("lone surrogates are refused") {
  for (const char* bad :
       {R"("\ud800")", R"("\udc00")", R"("\ud800\ud800")", R"("\ud83dx")", R"("\ude00\ud83d")"}) {
    INFO(bad);
    CHECK(refusal(bad) == "at ");
  }
  CHECK(refusal(R"({"a\ud800":1})") == "at ");
}

TEST_CASE("malformed JSON is refused with a place") {
  const struct {
    const char* json;
    const char* place;
  } cases[] = {
      {"", "line 1, column 1"},
      {" \n ", "line 1, column 1"},
      {"nul", "line 1, column 1"},
      {"tru e", "line 1, column 1"},
      {"1 2", "line 1, column 2"},
      {"[1]]", "line 1, column 4"},
      {"{\n \"a\": x}", "line 2, column 7"},
      {"[1,]", "line 1, column 4"},
      {"\"abc", "line 1, column 5"},
      {"[\n\"a\tb\"]", "line 2, column 3"},
      {"\"a\\x\"", "line 1, column 3"},
      {"\"\\u12g4\"", "line 1, column 2"},
      {"[\"\xff\"]", "line 1, column 3"},
      {"[\n\"\xc3\"]", "line 2, column 2"},
      {"01", "line 1, column 1"},
      {"[1.]", "line 1, column 2"},
      {"[.5]", "line 1, column 2"},
      {"[+1]", "line 1, column 2"},
      {"[-]", "line 1, column 2"},
      {"[1e]", "line 1, column 2"},
      {"[NaN]", "line 1, column 2"},
      {"[Infinity]", "line 1, column 2"},
      {"[-Infinity]", "line 1, column 2"},
      {"'a'", "line 1, column 1"},
      {"[1", "line 1, column 3"},
      {"{\"a\":1", "line 1, column 7"},
  };
  for (const auto& c : cases) {
    INFO(c.json);
    CHECK(refusal(c.json) == c.place);
  }
}

TEST_CASE("what is not JSON is never accepted") {
  for (const char* bad : {"[",          "]",
                          "{",          "}",
                          ",",          ":",
                          "[}",         "{]",
                          "[1}",        "{\"a\":1]",
                          "{\"a\"}",    "{\"a\":}",
                          "{\"a\" 1}",  "{1:2}",
                          "{,}",        "[,]",
                          "[1,,2]",     "{\"a\":1,}",
                          "[1 2]",      "{\"a\":1 \"b\":2}",
                          "\"a\"x",     "{}x",
                          "[]{}",       "//x\n1",
                          "/**/1",      "\xef\xbb\xbf{}",
                          "\"a\"\"b\"", "truefalse",
                          "[1]\n[2]"}) {
    INFO(bad);
    CHECK_FALSE(refusal(bad).empty());
  }
  CHECK_FALSE(refusal(std::string_view("\"a\0b\"", 5)).empty());
  CHECK_FALSE(refusal(std::string_view("1\0", 2)).empty());
}

TEST_CASE("nesting has a limit, and deep input is no danger") {
  CHECK(refusal(nested(kMaxValueDepth)).empty());
  CHECK(refusal(nested(kMaxValueDepth + 1)).starts_with("at /0/0"));
  CHECK_FALSE(refusal(nested(1'000'000)).empty());
  CHECK_FALSE(refusal(std::string(1'000'000, '[')).empty());
  std::string objects;
  for (int i = 0; i < 100'000; i++) objects += "{\"a\":";
  CHECK_FALSE(refusal(objects).empty());
}

TEST_CASE("a quoted text reads as itself") {
  std::string all;
  for (int c = 0; c < 128; c++) all += static_cast<char>(c);
  all += "\xc3\xa9\xf0\x9f\x98\x80";
  CHECK(nlohmann::json::parse(quote(all)).get<std::string>() == all);
  CHECK(canonical(quote(all)) == quote(all));
  CHECK(quote("a\"\\\n\x01") == R"("a\"\\\n\u0001")");
}

TEST_CASE("a value in canonical form is held once") {
  for (const char* json : {R"({"a":[1,"x\n\u001f\"\\",null],"b":{"c":"\t\b"}})", "[]", "1.5"}) {
    INFO(json);
    const Value value = parse_large_value(json, "test");
    CHECK(value.text == json);
    CHECK(value.reordered.empty());
    CHECK(value.canonical() == json);
    CHECK(parse_large_value(" " + value.text + "\n", "test").reordered.empty());
  }
  for (const char* json :
       {R"({"b":1,"a":2})", "1.0", R"("\/")", R"("\u000a")", R"({"\u0061":1})"}) {
    INFO(json);
    const Value value = parse_value(json, "test");
    CHECK(value.text == json);
    CHECK(value.canonical() == value.reordered);
    CHECK(value.canonical() != value.text);
  }
}

TEST_CASE("members are put in order wherever the longest of them is") {
  const std::string long_one = "[\"" + std::string(1000, 'l') + "\"]";
  for (const std::string at : {"a", "b", "c", "d"}) {
    const auto of = [&](const std::string& name) {
      return '"' + name + "\":" +
             (name == at                     ? long_one
              : name + name.substr(1) == "a" ? "1"
                                             : "2");
    };
    const std::string ordered = "{" + of("a") + "," + of("b") + "," + of("c") + "," + of("d") + "}";
    CHECK(canonical("{" + of("d") + "," + of("b") + "," + of("a") + "," + of("c") + "}") ==
          ordered);
    CHECK(canonical("{" + of("b") + "," + of("c") + "," + of("d") + "," + of("a") + "}") ==
          ordered);
    CHECK(canonical("[{" + of("d") + "," + of("a") + "," + of("b") + "," + of("c") + "},1]") ==
          "[" + ordered + ",1]");
  }
}

TEST_CASE("a fault is told with its place in the text as it was given") {
  CHECK(refusal("{ \"a\" :\n [ 1 ,\n\n   x ] }") == "line 4, column 4");
  CHECK(refusal("[1,\n \"two\",\r\n 3\n 4]") == "line 4, column 2");
  CHECK(refusal("\n[1] \n\n 2") == "line 2, column 4");
  CHECK(refusal("\n[\n\"\xff\"]") == "line 3, column 2");
  CHECK(refusal("\n [\n  \"a\nb\"]") == "line 3, column 5");
  CHECK(refusal(" \n\n ") == "line 1, column 1");
}

// nlohmann/json is the oracle: what it refuses must be refused here; what it accepts is accepted or
// refused with a pointer (those are our own rules); and an accepted value's two forms mean what the
// input means.
TEST_CASE("random changes to JSON are judged as another parser judges them") {
  const std::string seeds[] = {
      R"({"a":[1,2.5e3,-0.0,{"b":null,"c":[true,false]}],"d":"x\n\u00e9\ud83d\ude00","e":{}})",
      R"([[],[[]],{"":""},"",0,-1,1e-7,123456789012,"\\\"\/\b\f\r\t"])",
      R"( { "k" : [ "v" , 1 ] , "l" : { "m" : { } } } )",
  };
  const std::string alphabet = "{}[]:,\"\\ \n0123456789.eE+-truefalsn/\xc3\xa9\x01";
  std::mt19937 random(20'261'121);
  const auto below = [&](size_t n) {
    return std::uniform_int_distribution<size_t>(0, n - 1)(random);
  };
  for (int i = 0; i < 20'000; i++) {
    std::string json = seeds[below(std::size(seeds))];
    for (size_t changes = 1 + below(3); changes > 0; changes--) {
      const size_t at = below(json.size());
      const size_t kind = below(3);
      if (kind == 0) json.erase(at, 1);
      if (kind == 1) json.insert(at, 1, alphabet[below(alphabet.size())]);
      if (kind == 2) json[at] = alphabet[below(alphabet.size())];
    }
    INFO(json);
    const bool accepted = nlohmann::json::accept(json);
    const std::string refused = refusal(json);
    if (!accepted) {
      REQUIRE_FALSE(refused.empty());
    } else if (refused.empty()) {
      const Value value = parse_value(json, "test");
      const auto expected = nlohmann::json::parse(json);
      REQUIRE(nlohmann::json::parse(value.text) == expected);
      REQUIRE(nlohmann::json::parse(value.canonical()) == expected);
      REQUIRE(parse_value(value.text, "test").canonical() == value.canonical());
    } else {
      REQUIRE(refused.starts_with("at "));
    }
  }
}
