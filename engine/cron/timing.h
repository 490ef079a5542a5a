// When something happens again: by cron, in intervals, or once.
//
// Where a zone's clock jumps forward, what lies in the skipped time happens once, at the moment of
// the jump. Where it goes back, what lies in the repeated time happens the first time only. A cron
// expression that names no hour ("*/15 * * * *") means every so many minutes: it goes on through
// the change, and the skipped time, which takes no time, has none of it.
// Intervals are counted from their anchor in elapsed time, whatever clocks show.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/cron/cron.h"
#include "engine/cron/zone.h"

namespace reprise {

/// As it is recorded and shown. JSON: {"kind":"cron","cron","tz"} | {"kind":"interval","every",
/// "everyMs","anchor"} | {"kind":"once","at","tz"}, each with "text"; times are milliseconds.
class Timing {
 public:
  /// Errors INVALID_CRON, UNKNOWN_ZONE.
  static Timing by_cron(const std::string& expression, const std::string& zone);
  /// "90m"; from 1 s to 366 days. Error INVALID_ARGUMENT.
  static Timing by_interval(const std::string& every, int64_t anchor_ms);
  /// A time as format_time writes it, or "2026-12-01T09:00" (seconds may follow) of the zone's
  /// clock. Errors INVALID_ARGUMENT, UNKNOWN_ZONE.
  static Timing once(const std::string& at, const std::string& zone);
  /// What json() gave. Errors: those above, when zones or the rules changed since; INVALID_ARGUMENT
  /// for what json() did not give.
  static Timing restore(std::string_view json);

  std::string json() const;
  /// "0 9 * * *", "every 90m", "once at 2026-12-01T09:00:00.000Z", with the zone unless it is UTC.
  std::string text() const;

  /// The first occurrence after a time; nullopt: there is none.
  std::optional<int64_t> next_after(int64_t at_ms) const;

  struct Missed {
    uint64_t count = 0;
    bool more = false;  ///< than were counted
  };
  /// The occurrences after `first_ms` up to and with `now_ms`.
  Missed missed(int64_t first_ms, int64_t now_ms) const;

 private:
  enum class Kind : uint8_t { kCron, kInterval, kOnce };

  Kind x_kind = Kind::kOnce;
  std::string x_words;  ///< as they were given
  std::string x_zone = "UTC";
  ZoneSpans x_spans;
  Cron x_cron;
  int64_t x_every_ms = 0;
  int64_t x_at_ms = 0;  ///< the anchor of intervals
};

/// When the zone's clock shows this (seconds of the local clock since 1970): the first of two
/// times, the moment of the jump where it never does.
int64_t from_local_s(const ZoneSpans& spans, int64_t local_s);

/// The first time after `utc_s` that fits, in seconds since 1970.
int64_t next_occurrence_s(const Cron& cron, const ZoneSpans& spans, int64_t utc_s);

}  // namespace reprise
