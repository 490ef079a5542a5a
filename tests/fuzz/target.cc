#include "tests/fuzz/target.h"

#include <cstdio>
#include <cstdlib>

namespace reprise::fuzz {

namespace {

void say(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

}  // namespace

void expect(bool holds, std::string_view what) {
  if (holds) return;
  say("does not hold: ");
  say(what);
  say("\n");
  std::abort();
}

void expect_equal(std::string_view one, std::string_view other, std::string_view what) {
  if (one == other) return;
  say("one:   ");
  say(one);
  say("\nother: ");
  say(other);
  say("\n");
  expect(false, what);
}

}  // namespace reprise::fuzz
