#include "processes/board/titles.h"

#include <catch2/catch.hpp>

#include "unicode/unicode.h"

namespace reprise::board {

TEST_CASE("a title is the first sentence of what is to be done") {
  CHECK(title_of("fix the login. It fails on Mondays") == "fix the login");
  CHECK(title_of("update: all of the dependencies") == "update");
  CHECK(title_of("a: all of the dependencies") == "a: all of the dependencies");
  CHECK(title_of("  two \t words  ") == "two words");
}

TEST_CASE("a title has at most 120 characters, whole ones") {
  std::string todo;
  for (int i = 0; i < 200; ++i) todo += "é";
  CHECK(unicode::count(title_of(todo)) == kLongestTitle);
}

TEST_CASE("titles are the same but for case and spaces") {
  CHECK(normal_title(" Fix  the LOGIN ") == normal_title("fix the login"));
  CHECK(normal_title("STRASSE") == normal_title("straße"));
  CHECK(normal_title("fix the login") != normal_title("fix the logout"));
}

}  // namespace reprise::board
