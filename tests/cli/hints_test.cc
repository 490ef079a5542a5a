#include "cli/hints.h"

#include <catch2/catch.hpp>

namespace reprise {
namespace {

TEST_CASE("A command in a hint is shown with the home that it is meant for") {
  CHECK(
      with_home("reprise channel:list shows the channels; reprise run:status x this run", "/h") ==
      "reprise channel:list --home /h shows the channels; reprise run:status --home /h x this run");
  CHECK(with_home("make it with reprise init, or name another", "a b") ==
        "make it with reprise init --home 'a b', or name another");
}

TEST_CASE("Of a text only what is to be typed next names the home") {
  CHECK(next_with_home("r  waits\n  next  reprise task:show r t1\n        reprise task:post r t1\n"
                       "        reprise run:status is a word of the data\nlog: reprise run:list",
                       "/h") ==
        "r  waits\n  next  reprise task:show --home /h r t1\n"
        "        reprise task:post --home /h r t1\n"
        "        reprise run:status --home /h is a word of the data\nlog: reprise run:list");
  CHECK(next_with_home("", "/h").empty());
}

TEST_CASE("What is no command, or names a home, stays as it is") {
  for (const auto* text : {"", "reprise ", "kept for reprise itself", "reprise nothing:such",
                           "look at it, then: reprise trust --home /x"}) {
    CHECK(with_home(text, "/h") == text);
  }
}

}  // namespace
}  // namespace reprise
