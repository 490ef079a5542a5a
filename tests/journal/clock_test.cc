#include "journal/clock.h"

#include <catch2/catch.hpp>

#include "journal/error.h"

using namespace reprise;

TEST_CASE("a time is written in UTC with milliseconds") {
  CHECK(format_time(0) == "1970-01-01T00:00:00.000Z");
  CHECK(format_time(1'795'292'102'114) == "2026-11-21T20:15:02.114Z");
  CHECK(format_time(-1) == "1969-12-31T23:59:59.999Z");
  CHECK(format_time(951'782'400'000) == "2000-02-29T00:00:00.000Z");
}

TEST_CASE("the first and the last time have four digits of year") {
  CHECK(format_time(-62'167'219'200'000) == "0000-01-01T00:00:00.000Z");
  CHECK(format_time(253'402'300'799'999) == "9999-12-31T23:59:59.999Z");
  CHECK_THROWS_AS(format_time(-62'167'219'200'001), Error);
  CHECK_THROWS_AS(format_time(253'402'300'800'000), Error);
  CHECK_THROWS_AS(format_time(INT64_MAX), Error);
  CHECK_THROWS_AS(format_time(INT64_MIN), Error);
}

TEST_CASE("what is written is read back") {
  for (int64_t ms = -62'167'219'200'000; ms < 253'402'300'799'999; ms += 7'777'777'777'777) {
    INFO(ms);
    CHECK(parse_time(format_time(ms)) == ms);
  }
}

TEST_CASE("a time may lack the milliseconds or name an offset") {
  CHECK(parse_time("2026-11-21T20:15:02Z") == 1'795'292'102'000);
  CHECK(parse_time("2026-11-21T22:15:02+02:00") == 1'795'292'102'000);
  CHECK(parse_time("2026-11-21T14:45:02.114-05:30") == 1'795'292'102'114);
}

TEST_CASE("nothing else is a time") {
  for (const char* text : {"",
                           "now",
                           "2026-11-21",
                           "2026-11-21T20:15:02",
                           "2026-11-21 20:15:02Z",
                           "2026-11-21T20:15:02z",
                           "2026-11-21t20:15:02Z",
                           "2026-11-21T20:15:02.1Z",
                           "2026-11-21T20:15:02.1144Z",
                           "2026-11-21T20:15:02.Z",
                           "2026-11-21T20:15:02.114",
                           "2026-11-21T20:15:02.114Z ",
                           " 2026-11-21T20:15:02.114Z",
                           "2026-13-01T00:00:00Z",
                           "2026-00-01T00:00:00Z",
                           "2026-02-29T00:00:00Z",
                           "2026-04-31T00:00:00Z",
                           "2026-11-00T00:00:00Z",
                           "2026-11-21T24:00:00Z",
                           "2026-11-21T23:60:00Z",
                           "2026-11-21T23:59:60Z",
                           "2026-11-21T20:15:02+2:00",
                           "2026-11-21T20:15:02+0200",
                           "2026-11-21T20:15:02+24:00",
                           "2026-11-21T20:15:02+02:60",
                           "2026-1-21T20:15:02Z",
                           "-026-11-21T20:15:02Z",
                           "2026-11-21T20:15:+2Z",
                           "9999-12-31T23:59:59-01:00",
                           "0000-01-01T00:00:00+00:01"}) {
    INFO(text);
    CHECK_FALSE(parse_time(text));
  }
}

TEST_CASE("a fixed clock stands still until it is told") {
  FixedClock clock(5);
  CHECK(clock.now_ms() == 5);
  CHECK(clock.now_ms() == 5);
  clock.advance(3);
  CHECK(clock.now_ms() == 8);
  clock.set(1);
  CHECK(clock.now_ms() == 1);
}

TEST_CASE("the wall clock is in this century") { CHECK(WallClock().now_ms() > 946'684'800'000); }
