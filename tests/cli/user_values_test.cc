#include "cli/user_values.h"

#include <catch2/catch.hpp>

#include "journal/error.h"

using namespace reprise;

namespace {

std::string inputs_of(const std::string& document, const std::vector<std::string>& pairs) {
  return make_inputs(document, pairs).text;
}

}  // namespace

TEST_CASE("a duration is a number and a unit") {
  CHECK(parse_duration_ms("0ms", "--x") == 0);
  CHECK(parse_duration_ms("500ms", "--x") == 500);
  CHECK(parse_duration_ms("30s", "--x") == 30'000);
  CHECK(parse_duration_ms("2m", "--x") == 120'000);
  CHECK(parse_duration_ms("1h", "--x") == 3'600'000);
  for (const char* wrong : {"", "5", "s", "-1s", "1.5s", "1 s", "1d", "99999999999s", "5ss"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(parse_duration_ms(wrong, "--x"), Error);
  }
}

TEST_CASE("a time is written as the journal writes it") {
  CHECK(parse_time_flag("1970-01-01T00:00:01.500Z", "--x") == 1500);
  CHECK_THROWS_AS(parse_time_flag("now", "--x"), Error);
}

TEST_CASE("pairs are split at the first equals sign, each name once") {
  const auto pairs = parse_pairs({"a=1", "b=c=d", "e="}, "--label");
  CHECK(pairs == std::map<std::string, std::string>{{"a", "1"}, {"b", "c=d"}, {"e", ""}});
  for (const std::vector<std::string>& wrong :
       {std::vector<std::string>{"a"}, {"=1"}, {""}, {"a=1", "a=2"}}) {
    CHECK_THROWS_AS(parse_pairs(wrong, "--label"), Error);
  }
}

TEST_CASE("a value that reads as JSON is JSON, anything else a string") {
  CHECK(inputs_of("", {"n=5", "f=1.10", "s=v1.2", "t=true", "q=\"5\"", "l=[1, 2]", "e="}) ==
        R"({"e":"","f":1.10,"l":[1,2],"n":5,"q":"5","s":"v1.2","t":true})");
}

TEST_CASE("a string that looks like JSON is warned of") {
  CHECK(pair_warnings({"a={x:1}", "b=[1,]", R"(c={"x":1)", "d= {'x'} "}) ==
        std::vector<std::string>{"input a is taken as a string: it looks like JSON, but is none",
                                 "input b is taken as a string: it looks like JSON, but is none",
                                 "input c is taken as a string: it looks like JSON, but is none",
                                 "input d is taken as a string: it looks like JSON, but is none"});
  CHECK(pair_warnings({"a={\"x\":1}", "b=[draft] hello", "c=", "d=\"he\" said", "e", "f={", "g= "})
            .empty());
}

TEST_CASE("without anything the inputs are an empty object") { CHECK(inputs_of("", {}) == "{}"); }

TEST_CASE("pairs are set in the document") {
  CHECK(inputs_of(R"({"b":1.0,"a":[1]})", {}) == R"({"b":1.0,"a":[1]})");
  CHECK(inputs_of(R"({"b":1.0,"a":[1]})", {"a=2", "c=x"}) == R"({"b":1.0,"a":2,"c":"x"})");
  CHECK(inputs_of(R"({"\u0061":1})", {"a=2"}) == R"({"a":2})");
  CHECK(inputs_of(R"([1])", {}) == "[1]");
}

TEST_CASE("what cannot be kept is refused") {
  CHECK_THROWS_AS(inputs_of("[1]", {"a=1"}), Error);
  CHECK_THROWS_AS(inputs_of("", {"n=9007199254740993"}), Error);
  CHECK_THROWS_AS(inputs_of("", {"n={\"a\":1,\"a\":2}"}), Error);
  CHECK_THROWS_AS(inputs_of("", {"s=\xff"}), Error);
  CHECK_THROWS_AS(inputs_of("", {"\xff=1"}), Error);
  CHECK_THROWS_AS(inputs_of("{", {}), Error);
}
