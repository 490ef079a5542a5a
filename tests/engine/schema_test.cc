// What outputSchema refuses, and how clearly it says so.
#include "engine/schema.h"

#include <catch2/catch.hpp>

#include "tests/engine/effect_fixture.h"

namespace reprise::test {
namespace {

/// "CODE pointer" of what check_schema says; empty when it says nothing.
std::string verdict(const std::string& schema, const std::string& value) {
  try {
    check_schema(schema, value, "t1");
  } catch (const Error& error) {
    JsonReader reader;
    return error.code() + " " + reader.members_of_copy(error.details()).text("pointer");
  }
  return {};
}

const std::string kReport = R"({"type":"object","required":["ok","files"],"properties":{
  "ok":{"type":"boolean"},
  "files":{"type":"array","items":{"type":"object","properties":{
    "a/b":{"type":"integer"},"name":{"type":"string","pattern":"^[a-z]+$"}}}}}})";

TEST_CASE("A result that is as the schema says is taken") {
  CHECK(verdict(kReport, R"({"ok":true,"files":[{"a/b":1,"name":"x"}],"more":null})").empty());
  CHECK(verdict("{}", "null").empty());
  CHECK(verdict("true", "1").empty());
}

TEST_CASE("The first violation is named by its pointer") {
  CHECK(verdict(kReport, "[]") == "OUTPUT_INVALID ");
  CHECK(verdict(kReport, R"({"ok":true})") == "OUTPUT_INVALID ");
  CHECK(verdict(kReport, R"({"ok":1,"files":[]})") == "OUTPUT_INVALID /ok");
  CHECK(verdict(kReport, R"({"ok":true,"files":[{},{"a/b":"1"}]})") ==
        "OUTPUT_INVALID /files/1/a~1b");
  CHECK(verdict(kReport, R"({"ok":true,"files":[{"name":"X"}]})") ==
        "OUTPUT_INVALID /files/0/name");
  CHECK(verdict("false", "1") == "OUTPUT_INVALID ");
}

TEST_CASE("A value is refused that is too long to be parsed") {
  CHECK(verdict("{}", std::string((size_t{256} << 20U) + 1, '[')) == "OUTPUT_INVALID ");
}

TEST_CASE("A schema that is no schema is named, with the place in it") {
  CHECK(verdict("7", "1") == "SCHEMA_INVALID ");
  CHECK(verdict(R"({"type":"strnig"})", "1") == "SCHEMA_INVALID /type");
  CHECK(verdict(R"({"properties":{"a":{"required":"b"}}})", "{}") ==
        "SCHEMA_INVALID /properties/a/required");
  CHECK(verdict(R"({"minLength":-1})", "1") == "SCHEMA_INVALID /minLength");
  CHECK(verdict(R"({"pattern":"("})", "\"x\"").starts_with("SCHEMA_INVALID"));
  CHECK(verdict(R"({"$ref":"#/definitions/none"})", "1").starts_with("SCHEMA_INVALID"));
  CHECK(verdict(R"({"$ref":"http://example.com/schema"})", "1").starts_with("SCHEMA_INVALID"));
  CHECK(verdict(R"({"$ref":7})", "1").starts_with("SCHEMA_INVALID"));
}

TEST_CASE("A schema that never comes to an end is none") {
  const auto two_steps = std::string(R"({"definitions":{"a":{"$ref":"#/definitions/b"},)") +
                         R"("b":{"anyOf":[{"$ref":"#/definitions/a"}]}}})";
  for (const auto* schema : {
           R"({"$ref":"#"})",
           R"({"allOf":[{"$ref":"#"}]})",
           R"({"if":{"not":{"$ref":"#/if"}}})",
           two_steps.c_str(),
           R"({"dependencies":{"a":{"$ref":"#"}}})",
       }) {
    CHECK(verdict(schema, "1").starts_with("SCHEMA_INVALID"));
  }
  CHECK(verdict(R"({"properties":{"next":{"$ref":"#"}}})", R"({"next":{"next":{}}})").empty());
}

TEST_CASE("Texts that would take a pattern too long are refused") {
  const auto text = "\"" + std::string(1001, 'a') + "\"";
  CHECK(verdict(R"({"type":"string"})", text).empty());
  CHECK(verdict(R"({"pattern":"^(a|b)*$"})", text).starts_with("OUTPUT_INVALID"));
  CHECK(verdict(R"({"pattern":"^(a|b)*$"})", "\"" + std::string(1000, 'a') + "\"").empty());
}

TEST_CASE("A pattern that would go back and forth for ages is given up") {
  const auto text = "\"" + std::string(60, 'a') + "!\"";
  CHECK(verdict(R"({"pattern":"^(a+)+$"})", text) == "OUTPUT_INVALID ");
  CHECK(verdict(R"({"pattern":"^(a+)+!$"})", text).empty());
}

TEST_CASE("A schema that refers to itself judges what is nested deeply") {
  const auto schema = R"({"items":{"$ref":"#"},"type":"array"})";
  CHECK(verdict(schema, std::string(500, '[') + std::string(500, ']')).empty());
  CHECK(verdict(schema, std::string(400, '[') + "1" + std::string(400, ']'))
            .starts_with("OUTPUT_INVALID /0/0"));
}

TEST_CASE("A post is judged by the schema of its task, unless somebody insists") {
  World world{{asker()}};
  auto run =
      ask(world, R"({"options":{"outputSchema":true},"definition":{"outputSchema":)"
                 R"({"type":"object","required":["n"]}}},)"
                 R"({"options":{"outputSchema":true},"definition":{"outputSchema":{"type":1}}})");
  const auto types = run.types();
  CHECK(code_of([&] { send(run, ok_post(1, "{}")); }) == "OUTPUT_INVALID");
  CHECK(code_of([&] { send(run, ok_post(2, "{}")); }) == "SCHEMA_INVALID");
  CHECK(run.types() == types);
  CHECK(send(run, ok_post(1, R"({"n":1})")).recorded);
  CHECK(send(run, error_post(2, "errors are not judged")).recorded);
  world.context.force = true;
  auto forced =
      ask(world, R"({"options":{"outputSchema":true},"definition":{"outputSchema":{"type":1}}})");
  CHECK(send(forced, ok_post(1, "{}")).recorded);
}

}  // namespace
}  // namespace reprise::test
