#include "engine/sample_inputs.h"

#include <catch2/catch.hpp>

using namespace reprise;

namespace {

std::string sample(std::string_view type) { return sample_of_type(type).value_or("none"); }

}  // namespace

TEST_CASE("A value of every type is made up") {
  CHECK(sample("{ a: string, b: number, c: boolean, d: object, e: array }") ==
        R"({"a":"text","b":1,"c":true,"d":{},"e":[]})");
  CHECK(sample("{ a: string[], b: number[][], c: Array<{ d: 'x' }>, e: [string, number] }") ==
        R"({"a":["text"],"b":[[1]],"c":[{"d":"x"}],"e":["text",1]})");
  CHECK(sample("{ a: 'fast' | 'slow', b: 3 | 4, c: -1, d: null, e: (string | number)[] }") ==
        R"({"a":"fast","b":3,"c":-1,"d":null,"e":["text"]})");
  CHECK(sample("{ a: { b: { c: string } }, d: Record<string, number>, e: Whatever }") ==
        R"({"a":{"b":{"c":"text"}},"d":{},"e":"text"})");
}

TEST_CASE("Optional members are left out") {
  CHECK(sample("{ a?: string, b: number, c?: { d: string } }") == R"({"b":1})");
}

TEST_CASE("Members without a type, with a default, and on lines of their own are read") {
  CHECK(sample("{ a, b }") == R"({"a":"text","b":"text"})");
  CHECK(sample("{ a: number = 3; b: string\n c: boolean }") == R"({"a":1,"b":"text","c":true})");
  CHECK(sample("{ a: string, // why, { not\n b: number /* } */ }") == R"({"a":"text","b":1})");
  CHECK(sample("{ 'a-b': string, ... }") == R"({"a-b":"text"})");
  CHECK(sample("{ [name: string]: number }") == "{}");
  CHECK(sample("{ a: string } and more") == R"({"a":"text"})");
}

TEST_CASE("What is no type gives nothing") {
  for (const auto* type :
       {"", "{", "{ a: ", "{ a: string[ }", "{ a: Array<string }", ")", "{ : }"}) {
    INFO(type);
    CHECK(sample(type) == "none");
  }
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "{ a: ";
  CHECK(sample(deep) == "none");
}
