#include "cli/hints.h"

#include <catch2/catch.hpp>

namespace reprise {
namespace {

TEST_CASE("A command in a hint is shown with the home that it is meant for") {
  CHECK(
      with_place("reprise channel:list shows the channels; reprise run:status x this run",
                 "--home /h") ==
      "reprise channel:list --home /h shows the channels; reprise run:status --home /h x this run");
  CHECK(with_place("make it with reprise init, or name another", "--runs-dir 'a b'") ==
        "make it with reprise init --runs-dir 'a b', or name another");
}

TEST_CASE("Of a text only what is to be typed next names the home") {
  CHECK(next_with_place("r  waits\n  next  reprise task:show r t1\n        reprise task:post r t1\n"
                        "        reprise run:status is a word of the data\nlog: reprise run:list",
                        "--home /h") ==
        "r  waits\n  next  reprise task:show --home /h r t1\n"
        "        reprise task:post --home /h r t1\n"
        "        reprise run:status --home /h is a word of the data\nlog: reprise run:list");
  CHECK(next_with_place("to begin:\n\n  reprise run:start FILE\n", "--home /h") ==
        "to begin:\n\n  reprise run:start --home /h FILE\n");
  CHECK(next_with_place("", "--home /h").empty());
}

TEST_CASE("What is no command, or names a home, stays as it is") {
  for (const auto* text :
       {"", "reprise ", "kept for reprise itself", "reprise nothing:such",
        "look at it, then: reprise trust --home /x", "reprise run:list --runs-dir /a shows them"}) {
    CHECK(with_place(text, "--home /h") == text);
  }
}

TEST_CASE("Without a place a text stays as it is") {
  CHECK(with_place("reprise run:list", "") == "reprise run:list");
  CHECK(next_with_place("  next  reprise run:list\n", "") == "  next  reprise run:list\n");
}

TEST_CASE("A command in a hint is about the run that was named") {
  CHECK(with_run("keep it: reprise run:repair-journal RUN --accept-loss", "r") ==
        "keep it: reprise run:repair-journal r --accept-loss");
  CHECK(with_run("reprise task:list RUN shows them (reprise run:events RUN)", "a b") ==
        "reprise task:list 'a b' shows them (reprise run:events 'a b')");
}

TEST_CASE("RUN elsewhere is no run") {
  for (const auto* text : {"", "RUN", "reprise nothing:such RUN", "reprise run:status RUNS",
                           "give a RUN: reprise run:list", "usage: reprise run:list x RUN"}) {
    CHECK(with_run(text, "r") == text);
  }
}

}  // namespace
}  // namespace reprise
