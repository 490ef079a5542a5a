// What cron expressions mean and which are refused. reference_test.py compares them with another
// implementation by the thousand.
#include "engine/cron/cron.h"

#include <catch2/catch.hpp>

#include "journal/clock.h"
#include "journal/error.h"

namespace reprise::test {
namespace {

int64_t minute(const std::string& time) { return *parse_time(time + ":00Z") / 60'000; }

std::string next(const std::string& expression, const std::string& after) {
  return format_time(Cron::parse(expression).next_after(minute(after)) * 60'000).substr(0, 16);
}

/// "FIELD POSITION" of the refusal.
std::string fault(const std::string& expression) {
  try {
    Cron::parse(expression);
  } catch (const Error& error) {
    CHECK(error.code() == "INVALID_CRON");
    CHECK(error.exit() == Exit::kUsage);
    const auto& details = error.details();
    const auto field = details.find(R"(","position":)");
    return details.substr(10, field - 10) + " " +
           details.substr(field + 13, details.size() - field - 14);
  }
  return "taken";
}

TEST_CASE("The next time is after the one that is asked about") {
  CHECK(next("*/5 * * * *", "2025-01-01T12:00") == "2025-01-01T12:05");
  CHECK(next("0 12 * * *", "2025-01-01T12:00") == "2025-01-02T12:00");
  CHECK(next("0 12 * * *", "2025-01-01T11:59") == "2025-01-01T12:00");
  CHECK(next("59 23 31 12 *", "2025-12-31T23:59") == "2026-12-31T23:59");
  CHECK(next("30 9 * * MON-FRI", "2026-11-20T09:30") == "2026-11-23T09:30");
  CHECK(next("0 0 29 2 *", "2096-02-29T00:00") == "2104-02-29T00:00");
}

TEST_CASE("Days of the month and of the week are either when both are named") {
  CHECK(next("0 0 13 * FRI", "2026-11-01T00:00") == "2026-11-06T00:00");
  CHECK(next("0 0 13 * FRI", "2026-12-11T00:00") == "2026-12-13T00:00");
  CHECK(next("0 0 13 * *", "2026-11-01T00:00") == "2026-11-13T00:00");
  CHECK(next("0 0 * * FRI", "2026-11-01T00:00") == "2026-11-06T00:00");
  SECTION("and both when one of the fields begins with a star") {
    CHECK(next("0 0 */2 * FRI", "2026-11-01T00:00") == "2026-11-13T00:00");
    CHECK(next("0 0 13 * */5", "2026-10-14T00:00") == "2026-11-13T00:00");
  }
}

TEST_CASE("0 and 7 are Sunday, and names are those of crontab") {
  for (const auto* sunday : {"0", "7", "sun", "SUN", "Sun"}) {
    CHECK(next(std::string("0 0 * * ") + sunday, "2026-11-16T00:00") == "2026-11-22T00:00");
  }
  CHECK(next("0 0 * * 5-7", "2026-11-21T00:00") == "2026-11-22T00:00");
  CHECK(next("0 0 * * FRI-SUN", "2026-11-21T00:00") == "2026-11-22T00:00");
  CHECK(next("0 0 1 feb,NOV *", "2026-02-01T00:00") == "2026-11-01T00:00");
  CHECK(next("0 0 1 jan-mar/2 *", "2026-01-01T00:00") == "2026-03-01T00:00");
}

TEST_CASE("Lists, ranges and steps are joined") {
  CHECK(next("5,10-12,40-59/10 * * * *", "2026-01-01T00:12") == "2026-01-01T00:40");
  CHECK(next("5,10-12,40-59/10 * * * *", "2026-01-01T00:50") == "2026-01-01T01:05");
  CHECK(next("*/59 * * * *", "2026-01-01T00:00") == "2026-01-01T00:59");
  CHECK(next(" \t0   9 * * * ", "2026-01-01T00:00") == "2026-01-01T09:00");
}

TEST_CASE("The nicknames of crontab stand for expressions") {
  CHECK(next("@hourly", "2026-01-01T00:10") == "2026-01-01T01:00");
  CHECK(next("@Daily", "2026-01-01T00:10") == "2026-01-02T00:00");
  CHECK(next("@midnight", "2026-01-01T00:10") == "2026-01-02T00:00");
  CHECK(next("@weekly", "2026-01-01T00:10") == "2026-01-04T00:00");
  CHECK(next("@monthly", "2026-01-01T00:10") == "2026-02-01T00:00");
  CHECK(next("@yearly", "2026-01-01T00:10") == "2027-01-01T00:00");
  CHECK(next("@annually", "2026-01-01T00:10") == "2027-01-01T00:00");
}

TEST_CASE("What is wrong is told with its field and its place") {
  CHECK(fault("61 * * * *") == "minute 1");
  CHECK(fault("0 24 * * *") == "hour 3");
  CHECK(fault("0 0 0 * *") == "day of month 5");
  CHECK(fault("0 0 1,32 * *") == "day of month 7");
  CHECK(fault("0 0 1 13 *") == "month 7");
  CHECK(fault("0 0 1 JANUARY *") == "month 7");
  CHECK(fault("0 0 1 anf *") == "month 7");
  CHECK(fault("0 0 * * 8") == "day of week 9");
  CHECK(fault("MON 0 * * *") == "minute 1");
  CHECK(fault("0 22-5 * * *") == "hour 3");
  CHECK(fault("5/15 * * * *") == "minute 1");
  CHECK(fault("*/0 * * * *") == "minute 3");
  CHECK(fault("*/60 * * * *") == "minute 3");
  CHECK(fault("1, * * * *") == "minute 3");
  CHECK(fault("1- * * * *") == "minute 3");
  CHECK(fault("1x * * * *") == "minute 2");
  CHECK(fault("-1 * * * *") == "minute 1");
  CHECK(fault("99999999999999999999 * * * *") == "minute 5");
  CHECK(fault("") == "minute 1");
  CHECK(fault("* * * *") == "day of week 8");
  CHECK(fault("* * * * * *") == "day of week 11");
  CHECK(fault("@reboot") == "nickname 1");
  CHECK(fault("@daily 5") == "nickname 1");
  CHECK(fault(std::string(5000, '*')) == "minute 1001");
}

TEST_CASE("A day that no month has is refused when the expression is read") {
  CHECK(fault("0 0 30 2 *") == "day of month 5");
  CHECK(fault("0 0 31 2,4,6,9,11 *") == "day of month 5");
  CHECK(fault("0 0 29 2 *") == "taken");
  CHECK(fault("0 0 30 2 MON") == "taken");
}

TEST_CASE("Only an expression that fits every hour names none") {
  CHECK(Cron::parse("*/15 * * * *").names_no_hour());
  CHECK(Cron::parse("0 0-23 * * *").names_no_hour());
  CHECK_FALSE(Cron::parse("*/15 2 * * *").names_no_hour());
  CHECK_FALSE(Cron::parse("0 */2 * * *").names_no_hour());
}

}  // namespace
}  // namespace reprise::test
