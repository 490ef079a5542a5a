#include "engine/suggest.h"

#include <array>
#include <catch2/catch.hpp>

using reprise::did_you_mean;
using reprise::nearest;

namespace {
constexpr std::array<std::string_view, 4> kWords = {"run:create", "run:iterate", "run:list",
                                                    "task:list"};
}

TEST_CASE("the nearest word is found over slips of the fingers") {
  CHECK(nearest("run:craete", kWords) == "run:create");
  CHECK(nearest("run:itrate", kWords) == "run:iterate");
  CHECK(nearest("run:lists", kWords) == "run:list");
  CHECK(nearest("run:cr", kWords) == "run:create");
}

TEST_CASE("a word like none of them has no suggestion") {
  CHECK(nearest("deploy", kWords).empty());
  CHECK(nearest("x", kWords).empty());
  CHECK(nearest(std::string(1000, 'r'), kWords).empty());
  CHECK(did_you_mean("deploy", kWords).empty());
}
