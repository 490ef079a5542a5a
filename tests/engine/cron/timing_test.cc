// Occurrences in zones, through the changes of their clocks, and without cron.
#include "engine/cron/timing.h"

#include <catch2/catch.hpp>
#include <vector>

#include "journal/clock.h"
#include "journal/error.h"

namespace reprise::test {
namespace {

int64_t at(const std::string& time) { return parse_time(time).value(); }

using Times = std::vector<std::string>;

/// The first occurrences after a time, in UTC without the seconds.
Times after(const Timing& timing, const std::string& time, size_t count) {
  Times times;
  for (auto next = timing.next_after(at(time)); next && times.size() < count;
       next = timing.next_after(*next)) {
    times.push_back(format_time(*next).substr(0, 16));
  }
  return times;
}

Times cron(const char* expression, const char* zone, const char* time, size_t count) {
  return after(Timing::by_cron(expression, zone), time, count);
}

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.code() + ": " + error.hint();
  }
  return {};
}

constexpr const char* kBerlin = "Europe/Berlin";

TEST_CASE("A zone's clock decides when it is nine") {
  CHECK(cron("0 9 * * *", kBerlin, "2026-01-01T00:00:00Z", 1) == Times{"2026-01-01T08:00"});
  CHECK(cron("0 9 * * *", kBerlin, "2026-07-01T00:00:00Z", 1) == Times{"2026-07-01T07:00"});
  CHECK(cron("0 9 * * *", "UTC", "2026-07-01T00:00:00Z", 1) == Times{"2026-07-01T09:00"});
  CHECK(cron("0 0 * * MON", "Pacific/Auckland", "2026-07-01T00:00:00Z", 1) ==
        Times{"2026-07-05T12:00"});
}

TEST_CASE("What lies in the hour that is skipped happens once, right after the change") {
  // 2026-03-29 02:00 is 03:00.
  CHECK(cron("30 2 * * *", kBerlin, "2026-03-28T00:00:00Z", 3) ==
        Times{"2026-03-28T01:30", "2026-03-29T01:00", "2026-03-30T00:30"});
  CHECK(cron("10,20,30 2 * * *", kBerlin, "2026-03-28T02:00:00Z", 2) ==
        Times{"2026-03-29T01:00", "2026-03-30T00:10"});
  CHECK(cron("0 2,3 * * *", kBerlin, "2026-03-29T00:00:00Z", 2) ==
        Times{"2026-03-29T01:00", "2026-03-30T00:00"});
}

TEST_CASE("What lies in the hour that is repeated happens the first time") {
  // 2026-10-25 03:00 is 02:00.
  CHECK(cron("30 2 * * *", kBerlin, "2026-10-24T12:00:00Z", 2) ==
        Times{"2026-10-25T00:30", "2026-10-26T01:30"});
  CHECK(cron("30 2 * * *", kBerlin, "2026-10-25T01:10:00Z", 1) == Times{"2026-10-26T01:30"});
  CHECK(cron("0 3 * * *", kBerlin, "2026-10-25T00:00:00Z", 1) == Times{"2026-10-25T02:00"});
}

TEST_CASE("What names no hour goes on through both changes") {
  CHECK(cron("*/30 * * * *", kBerlin, "2026-03-29T00:30:00Z", 2) ==
        Times{"2026-03-29T01:00", "2026-03-29T01:30"});
  CHECK(cron("*/30 * * * *", kBerlin, "2026-10-24T23:30:00Z", 5) ==
        Times{"2026-10-25T00:00", "2026-10-25T00:30", "2026-10-25T01:00", "2026-10-25T01:30",
              "2026-10-25T02:00"});
  SECTION("also where it is half an hour") {
    // Lord Howe goes from +11:00 to +10:30 at 2026-04-04T15:00Z: 01:30 to 01:59 come twice.
    CHECK(cron("45 * * * *", "Australia/Lord_Howe", "2026-04-04T14:00:00Z", 4) ==
          Times{"2026-04-04T14:45", "2026-04-04T15:15", "2026-04-04T16:15", "2026-04-04T17:15"});
  }
}

TEST_CASE("A day that a zone left out has its occurrence right after it") {
  // Samoa had no 2011-12-30: midnight behind the 29th was that before the 31st.
  CHECK(cron("0 9 * * *", "Pacific/Apia", "2011-12-29T00:00:00Z", 3) ==
        Times{"2011-12-29T19:00", "2011-12-30T10:00", "2011-12-30T19:00"});
}

TEST_CASE("Intervals have no drift") {
  const auto timing = Timing::by_interval("90m", at("2026-01-01T00:00:10Z"));
  CHECK(timing.next_after(at("2026-01-01T00:00:10Z")) == at("2026-01-01T01:30:10Z"));
  CHECK(timing.next_after(at("2026-01-01T01:30:10Z")) == at("2026-01-01T03:00:10Z"));
  CHECK(timing.next_after(at("2026-01-01T02:59:59Z")) == at("2026-01-01T03:00:10Z"));
  CHECK(timing.missed(at("2026-01-01T01:30:10Z"), at("2026-01-01T06:00:10Z")).count == 3);
  CHECK(timing.missed(at("2026-01-01T01:30:10Z"), at("2026-01-01T01:31:00Z")).count == 0);
  CHECK(refusal([] { Timing::by_interval("0s", 0); }).starts_with("INVALID_ARGUMENT"));
  CHECK(refusal([] { Timing::by_interval("-5m", 0); }).starts_with("INVALID_ARGUMENT"));
  CHECK(refusal([] { Timing::by_interval("9000h", 0); }).starts_with("INVALID_ARGUMENT"));
}

TEST_CASE("Missed occurrences are counted up to a bound") {
  const auto timing = Timing::by_cron("0 * * * *", "UTC");
  const auto day = timing.missed(at("2026-01-01T00:00:00Z"), at("2026-01-02T00:00:00Z"));
  CHECK(day.count == 24);
  CHECK_FALSE(day.more);
  const auto years = timing.missed(at("2026-01-01T00:00:00Z"), at("2036-01-01T00:00:00Z"));
  CHECK(years.count == 10'000);
  CHECK(years.more);
}

TEST_CASE("Once is a moment, or a time of a zone's clock") {
  CHECK(after(Timing::once("2026-12-01T09:00", kBerlin), "2026-01-01T00:00:00Z", 2) ==
        Times{"2026-12-01T08:00"});
  CHECK(after(Timing::once("2026-12-01 09:00:30", "UTC"), "2026-12-01T09:00:29Z", 2) ==
        Times{"2026-12-01T09:00"});
  CHECK(after(Timing::once("2026-12-01T09:00:00+02:00", kBerlin), "2026-01-01T00:00:00Z", 2) ==
        Times{"2026-12-01T07:00"});
  CHECK(after(Timing::once("2026-12-01T09:00", "UTC"), "2026-12-01T09:00:00Z", 2).empty());
  CHECK(after(Timing::once("2026-03-29T02:30", kBerlin), "2026-01-01T00:00:00Z", 1) ==
        Times{"2026-03-29T01:00"});
  CHECK(after(Timing::once("2026-10-25T02:30", kBerlin), "2026-01-01T00:00:00Z", 1) ==
        Times{"2026-10-25T00:30"});
  CHECK(refusal([] { Timing::once("tomorrow", "UTC"); }).starts_with("INVALID_ARGUMENT"));
  CHECK(refusal([] { Timing::once("2026-13-01T09:00", "UTC"); }).starts_with("INVALID_ARGUMENT"));
}

TEST_CASE("A zone that does not exist is refused with the one that was meant") {
  const auto meant = [](const char* zone) { return refusal([&] { find_zone(zone); }); };
  CHECK(meant("Europe/Berln") == "UNKNOWN_ZONE: did you mean Europe/Berlin?");
  CHECK(meant("berlin") == "UNKNOWN_ZONE: did you mean Europe/Berlin?");
  CHECK(meant("utc") == "UNKNOWN_ZONE: did you mean UTC?");
  for (const auto* wrong : {"", "/etc/localtime", "../zoneinfo/UTC", "libc:localtime",
                            "Fixed/UTC+01:00:00", "Europe/Berlin\n", "file:UTC"}) {
    CHECK(meant(wrong).starts_with("UNKNOWN_ZONE"));
  }
}

TEST_CASE("What is recorded of a timing gives it back") {
  for (const auto& timing :
       {Timing::by_cron("*/5 2 * * MON", kBerlin), Timing::by_interval("7m", 1'767'225'600'000),
        Timing::once("2030-01-01T00:00", kBerlin)}) {
    const auto again = Timing::restore(timing.json());
    CHECK(again.json() == timing.json());
    CHECK(again.next_after(1'767'225'600'000) == timing.next_after(1'767'225'600'000));
  }
}

TEST_CASE("A local time is the first of two, and the moment of the jump where it is none") {
  // An invented zone: an hour forward at 10000, back at 20000.
  const ZoneSpans zone = [](int64_t utc_s) {
    if (utc_s < 10'000) return ZoneSpan{kNeverBefore, 10'000, 0};
    if (utc_s < 20'000) return ZoneSpan{10'000, 20'000, 3600};
    return ZoneSpan{20'000, kNeverAfter, 0};
  };
  CHECK(from_local_s(zone, 9'999) == 9'999);
  CHECK(from_local_s(zone, 10'000) == 10'000);
  CHECK(from_local_s(zone, 13'599) == 10'000);
  CHECK(from_local_s(zone, 13'600) == 10'000);
  CHECK(from_local_s(zone, 13'601) == 10'001);
  CHECK(from_local_s(zone, 20'000) == 16'400);
  CHECK(from_local_s(zone, 23'599) == 19'999);
  CHECK(from_local_s(zone, 23'600) == 23'600);
}

}  // namespace
}  // namespace reprise::test
