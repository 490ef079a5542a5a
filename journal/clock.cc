// Civil time by std::chrono's calendar types; no time zone data, no locale, no environment.
#include "journal/clock.h"

#include <chrono>

#include "journal/error.h"

namespace reprise {

namespace {

constexpr int64_t kMsPerMinute = 60'000;
constexpr int64_t kMsPerDay = 86'400'000;
constexpr int64_t kFirstMs = -62'167'219'200'000;  // 0000-01-01T00:00:00.000Z
constexpr int64_t kLastMs = 253'402'300'799'999;   // 9999-12-31T23:59:59.999Z

bool in_range(int64_t ms) { return ms >= kFirstMs && ms <= kLastMs; }

void put_digits(char* out, int64_t value, int count) {
  for (int i = count - 1; i >= 0; i--, value /= 10) out[i] = static_cast<char>('0' + value % 10);
}

/// The number that `count` digits make, or -1.
int digits(const char* text, int count) {
  int value = 0;
  for (int i = 0; i < count; i++) {
    if (text[i] < '0' || text[i] > '9') return -1;
    value = value * 10 + (text[i] - '0');
  }
  return value;
}

/// Minutes east of UTC in "Z", "+hh:mm" or "-hh:mm".
std::optional<int64_t> parse_zone(std::string_view text) {
  if (text == "Z") return 0;
  if (text.size() != 6 || (text[0] != '+' && text[0] != '-') || text[3] != ':') return std::nullopt;
  const int hours = digits(text.data() + 1, 2);
  const int minutes = digits(text.data() + 4, 2);
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return std::nullopt;
  return (text[0] == '-' ? -1 : 1) * (hours * 60 + minutes);
}

}  // namespace

int64_t WallClock::now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::string format_time(int64_t ms) {
  if (!in_range(ms)) {
    throw Error(Exit::kUsage, "INVALID_TIME",
                std::to_string(ms) + " ms is not a time between the years 0000 and 9999");
  }
  const int64_t day = (ms - kFirstMs) / kMsPerDay + kFirstMs / kMsPerDay;
  const int64_t rest = ms - day * kMsPerDay;
  const std::chrono::year_month_day date{
      std::chrono::sys_days{std::chrono::days{static_cast<int>(day)}}};
  std::string text = "0000-00-00T00:00:00.000Z";
  put_digits(text.data(), static_cast<int>(date.year()), 4);
  put_digits(text.data() + 5, static_cast<unsigned>(date.month()), 2);
  put_digits(text.data() + 8, static_cast<unsigned>(date.day()), 2);
  put_digits(text.data() + 11, rest / 3'600'000, 2);
  put_digits(text.data() + 14, rest / kMsPerMinute % 60, 2);
  put_digits(text.data() + 17, rest / 1000 % 60, 2);
  put_digits(text.data() + 20, rest % 1000, 3);
  return text;
}

std::optional<int64_t> parse_time(std::string_view text) {
  if (text.size() < 20) return std::nullopt;
  const char* at = text.data();
  if (at[4] != '-' || at[7] != '-' || at[10] != 'T' || at[13] != ':' || at[16] != ':') {
    return std::nullopt;
  }
  const int year = digits(at, 4);
  const int month = digits(at + 5, 2);
  const int day = digits(at + 8, 2);
  const int hour = digits(at + 11, 2);
  const int minute = digits(at + 14, 2);
  const int second = digits(at + 17, 2);
  if (year < 0 || month < 0 || day < 0 || hour < 0 || hour > 23 || minute < 0 || minute > 59 ||
      second < 0 || second > 59) {
    return std::nullopt;
  }
  const std::chrono::year_month_day date{std::chrono::year{year},
                                         std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  if (!date.ok()) return std::nullopt;

  int milliseconds = 0;
  std::string_view zone = text.substr(19);
  if (zone[0] == '.') {
    if (zone.size() < 5) return std::nullopt;
    milliseconds = digits(zone.data() + 1, 3);
    if (milliseconds < 0) return std::nullopt;
    zone.remove_prefix(4);
  }
  const std::optional<int64_t> east = parse_zone(zone);
  if (!east) return std::nullopt;

  const int64_t days = std::chrono::sys_days{date}.time_since_epoch().count();
  const int64_t ms = days * kMsPerDay + hour * 3'600'000LL + minute * kMsPerMinute +
                     second * 1000LL + milliseconds - *east * kMsPerMinute;
  return in_range(ms) ? std::optional<int64_t>(ms) : std::nullopt;
}

}  // namespace reprise
