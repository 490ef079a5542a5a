#include "cli/document.h"

#include <catch2/catch.hpp>

using namespace reprise;

TEST_CASE("a document is printed on one line, in the order it was made") {
  Document document = new_document();
  document["b"] = 1;
  document["a"] = {"x", nullptr, true};
  document["empty"] = Document::object();
  document["none"] = Document::array();
  CHECK(print_json(document) ==
        R"({"schemaVersion":"reprise.cli.1","b":1,"a":["x",null,true],"empty":{},"none":[]})");
}

TEST_CASE("a raw value keeps its text") {
  Document document = {{"value", raw_json(R"({"n":1.10,"big":1e3})")}, {"absent", raw_json("")}};
  CHECK(print_json(document) == R"({"value":{"n":1.10,"big":1e3},"absent":null})");
}

TEST_CASE("strings are escaped, and bytes that are no UTF-8 replaced") {
  CHECK(print_json(Document("a\"\\\n\x01é")) == "\"a\\\"\\\\\\n\\u0001é\"");
  CHECK(print_json(Document("a\xff")) == "\"a\xef\xbf\xbd\"");
}

TEST_CASE("a pointer leads into the document and into raw values") {
  const Document document = {
      {"runId", "r1"},
      {"list", {{{"id", "t1"}}, {{"id", "t2"}}}},
      {"a/b~c", 7},
      {"output", raw_json(R"({"total":1.10,"text":"line\n","deep":[{"x":[1,2]}],"no":null})")},
      {"word", raw_json("\"bare\"")}};
  CHECK(get_pointer(document, "/runId") == "r1");
  CHECK(get_pointer(document, "/list/1/id") == "t2");
  CHECK(get_pointer(document, "/list") == R"([{"id":"t1"},{"id":"t2"}])");
  CHECK(get_pointer(document, "/a~1b~0c") == "7");
  CHECK(get_pointer(document, "/output/total") == "1.10");
  CHECK(get_pointer(document, "/output/text") == "line\n");
  CHECK(get_pointer(document, "/output/deep/0/x") == "[1,2]");
  CHECK(get_pointer(document, "/output/deep/0/x/1") == "2");
  CHECK(get_pointer(document, "/output/no") == "null");
  CHECK(get_pointer(document, "/word") == "bare");
  CHECK(get_pointer(document, "/output") ==
        R"({"total":1.10,"text":"line\n","deep":[{"x":[1,2]}],"no":null})");
}

TEST_CASE("a pointer to nothing gives nothing") {
  const Document document = {{"list", {1, 2}}, {"raw", raw_json("[1]")}, {"text", "x"}};
  for (const char* pointer :
       {"/no", "/list/2", "/list/-", "/list/01", "/list/x", "/raw/1", "/raw/x", "/text/0", "/"}) {
    CAPTURE(pointer);
    CHECK_FALSE(get_pointer(document, pointer));
  }
}

TEST_CASE("a malformed pointer is known as such") {
  CHECK(valid_pointer(""));
  CHECK(valid_pointer("/a~0b/~1/0"));
  CHECK_FALSE(valid_pointer("runId"));
  CHECK_FALSE(valid_pointer("/a~2"));
  CHECK_FALSE(valid_pointer("/a~"));
}
