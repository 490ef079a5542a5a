// Cron expressions: five fields (minute, hour, day of month, month, day of week) as crontab(5) has
// them, over the minutes of a local clock that knows no zone.
//
//   field   = "*" | part {"," part};   part = (value | value "-" value | "*") ["/" step]
//
// Months and days of the week have names of three letters, in either case; 0 and 7 are Sunday, and
// a range may end with SUN. When neither day field begins with "*", a day fits that fits one of
// them; else one that fits both. @hourly, @daily (@midnight), @weekly, @monthly, @yearly
// (@annually) stand for expressions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace reprise {

class Cron {
 public:
  /// Error INVALID_CRON, exit 2: the message names the field and the place, `details` are
  /// {"field","position"} (in characters from 1). What no calendar has, as 30 February, is refused,
  /// too.
  static Cron parse(std::string_view text);

  /// The first minute that fits after `minute`, both counted from 1970-01-01 00:00 of the local
  /// clock.
  int64_t next_after(int64_t minute) const;
  /// It names no hour: what it means is every so many minutes, and not a time of the day.
  bool names_no_hour() const;

 private:
  bool fits_day(int64_t day) const;
  bool can_fit() const;
  /// The first day from `day` on that fits; nullopt when none does in 400 years, after which the
  /// calendar repeats itself.
  std::optional<int64_t> next_day(int64_t day) const;

  uint64_t x_minutes = 0;  ///< bit n: n fits
  uint64_t x_hours = 0;
  uint64_t x_days = 0;
  uint64_t x_months = 0;
  uint64_t x_weekdays = 0;
  bool x_any_day = false;  ///< the field begins with "*"
  bool x_any_weekday = false;
};

}  // namespace reprise
