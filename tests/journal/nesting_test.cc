#include "journal/nesting.h"

#include <catch2/catch.hpp>
#include <string>

using namespace reprise;

TEST_CASE("the depth of a text is that of its brackets, strings aside") {
  CHECK(nesting_depth("") == 0);
  CHECK(nesting_depth("1") == 0);
  CHECK(nesting_depth(R"([{"a":[]},[],[]])") == 3);
  CHECK(nesting_depth(R"(["[[[[", "\"[[", "\\"])") == 1);
  CHECK(nesting_depth("]]]][") == 1);
  CHECK(nesting_depth("\"\\") == 0);
  CHECK(nesting_depth(std::string(1'000'000, '[')) == 1'000'000);
}
