#include "engine/executors/config_edit.h"

#include <catch2/catch.hpp>

#include "tests/engine/run_fixture.h"

using namespace reprise;
using reprise::test::code_of;

TEST_CASE("A new file holds what was added") {
  CHECK(add_config_member("", "executors", "a", "{}") ==
        "{\n  \"executors\": {\n    \"a\": {}\n  }\n}\n");
}

TEST_CASE("A member is put in front of those that are there, and comments stay") {
  const std::string before =
      "// mine\n{\n  /* who */ \"executors\": { // all of them\n    \"b\": {\"type\":\"shell\"} // "
      "last\n  },\n  \"drive\": {\"jobs\": 2}\n}\n";
  CHECK(add_config_member(before, "executors", "a", "{\"x\":1}") ==
        "// mine\n{\n  /* who */ \"executors\": { // all of them\n    \"a\": {\"x\":1},\n    "
        "\"b\": {\"type\":\"shell\"} // last\n  },\n  \"drive\": {\"jobs\": 2}\n}\n");
}

TEST_CASE("A key that is not there is made") {
  CHECK(add_config_element("{\n  \"drive\": {\"executors\": 1}\n}\n", "match", "{\"x\":1}") ==
        "{\n  \"match\": [\n    {\"x\":1}\n  ],\n  \"drive\": {\"executors\": 1}\n}\n");
  CHECK(add_config_element("{}", "match", "1") == "{\n  \"match\": [\n    1\n  ]\n}");
}

TEST_CASE("An empty list takes its first element") {
  CHECK(add_config_element("{\"match\": []}", "match", "1") == "{\"match\": [\n    1\n  ]}");
  CHECK(add_config_element("{\"match\": [2, [3]]}", "match", "1") ==
        "{\"match\": [\n    1,2, [3]]}");
}

TEST_CASE(
    "A key goes below the comment that shows a sample of it, and other comments stay theirs") {
  const std::string before =
      "// A {\n{\n  // Who:\n  // \"executors\": {},\n  // \"match\": [],\n\n"
      "  // How:\n  // \"drive\": {}\n}\n";
  auto text = add_config_member(before, "executors", "a", "{}");
  CHECK(text ==
        "// A {\n{\n  // Who:\n  // \"executors\": {},\n  \"executors\": {\n    \"a\": {}\n  }\n"
        "  // \"match\": [],\n\n  // How:\n  // \"drive\": {}\n}\n");
  text = add_config_element(text, "match", "1");
  CHECK(text ==
        "// A {\n{\n  // Who:\n  // \"executors\": {},\n  \"executors\": {\n    \"a\": {}\n  },\n"
        "  // \"match\": [],\n  \"match\": [\n    1\n  ]\n\n  // How:\n  // \"drive\": {}\n}\n");
  CHECK(add_config_element("{\n  // \"match\": []\n  /* of it */ \"drive\": {}\n}", "match", "1") ==
        "{\n  // \"match\": []\n  \"match\": [\n    1\n  ],\n  /* of it */ \"drive\": {}\n}");
  CHECK(add_config_element("{\"a\": {\n  // \"match\": []\n}, \"b\": \"// \\\"match\\\": \"}",
                           "match", "1")
            .starts_with("{\n  \"match\": ["));
}

TEST_CASE("Braces in texts and comments are none") {
  const std::string before = "// {\n{\"a\": \"}{\\\"\", /* } */ \"match\": [ /* ] */ ]}";
  CHECK(add_config_element(before, "match", "1") ==
        "// {\n{\"a\": \"}{\\\"\", /* } */ \"match\": [\n    1\n   /* ] */ ]}");
}

TEST_CASE("What cannot be edited is refused") {
  CHECK(code_of([] { add_config_member("{\"executors\": []}", "executors", "a", "{}"); }) ==
        "CONFIG_INVALID");
  CHECK(code_of([] { add_config_member("[]", "executors", "a", "{}"); }) == "CONFIG_INVALID");
  CHECK(code_of([] { add_config_member("{\"executors\"", "executors", "a", "{}"); }) ==
        "CONFIG_INVALID");
}
