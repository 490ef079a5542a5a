// Pauses between requests.
#include "engine/executors/backoff.h"

#include <catch2/catch.hpp>
#include <limits>

#include "journal/clock.h"

namespace reprise::test {
namespace {

const int64_t kNow = parse_time("1994-11-06T08:49:30.000Z").value();

TEST_CASE("Retry-After is seconds or a date") {
  CHECK(parse_retry_after("0", kNow) == 0);
  CHECK(parse_retry_after("120", kNow) == 120'000);
  CHECK(parse_retry_after("Sun, 06 Nov 1994 08:49:37 GMT", kNow) == 7000);
  CHECK(parse_retry_after("Sun, 06 Nov 1994 08:49:07 GMT", kNow) == 0);
}

TEST_CASE("A Retry-After that is neither is none") {
  for (const auto* text : {"", "soon", "-1", "1.5", "7 ", "Sun, 06 Xyz 1994 08:49:37 GMT",
                           "Sun, 99 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT"}) {
    INFO(text);
    CHECK_FALSE(parse_retry_after(text, kNow));
  }
}

TEST_CASE("A Retry-After of ages stays a number that can be reckoned with") {
  const auto year_ms = int64_t{366} * 24 * 3600 * 1000;
  CHECK(parse_retry_after("99999999999999999999999", kNow) == year_ms);
  CHECK(parse_retry_after("Fri, 06 Nov 9998 08:49:37 GMT", kNow) == year_ms);
}

TEST_CASE("Pauses double up to the longest, and differ a little between those who wait") {
  const Backoff backoff{.attempts = 9, .first_ms = 1000, .longest_ms = 5000};
  const auto between = [&](uint32_t done, int64_t least, int64_t most) {
    const auto pause = backoff_ms(backoff, done, "r/t1");
    return pause >= least && pause <= most;
  };
  CHECK(between(1, 750, 1000));
  CHECK(between(2, 1500, 2000));
  CHECK(between(3, 3000, 4000));
  CHECK(between(4, 3750, 5000));
  CHECK(between(4'000'000'000, 3750, 5000));
  CHECK(backoff_ms(backoff, 4, "r/t1") != backoff_ms(backoff, 4, "r/t2"));
  CHECK(backoff_ms({.attempts = 1, .first_ms = 0, .longest_ms = 0}, 3, "") == 0);
  constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();
  CHECK(backoff_ms({.attempts = 1, .first_ms = kHuge / 2, .longest_ms = kHuge}, 9, "") > 0);
}

}  // namespace
}  // namespace reprise::test
