// A cron expression speaks of a local clock, time goes on in UTC. from_local_s never goes
// backwards, so the next occurrence is the first local time that fits whose moment lies ahead.
#include "engine/cron/timing.h"

#include <chrono>
#include <nlohmann/json.hpp>

#include "engine/units.h"
#include "journal/clock.h"
#include "journal/error.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

constexpr int64_t kSecond = 1000;
constexpr int64_t kMinute = 60;
constexpr int64_t kDay = 86'400;
constexpr int64_t kLongestIntervalMs = 366 * kDay * kSecond;
constexpr uint64_t kMostCounted = 10'000;

int64_t floor_div(int64_t value, int64_t by) { return value / by - (value % by < 0 ? 1 : 0); }

[[noreturn]] void refuse_timing(const std::string& message, const std::string& hint) {
  throw Error(Exit::kUsage, "INVALID_ARGUMENT", message, hint);
}

/// Every so many minutes, whatever the clock shows.
int64_t next_by_elapsed_s(const Cron& cron, const ZoneSpans& spans, int64_t utc_s) {
  for (auto span = spans(utc_s);; span = spans(span.until_s)) {
    const auto from = std::max(utc_s, span.from_s - 1);
    const auto local = cron.next_after(floor_div(from + span.offset_s, kMinute)) * kMinute;
    if (local - span.offset_s < span.until_s) return local - span.offset_s;
  }
}

/// "2026-12-01T09:00" or "2026-12-01 09:00:30" of a clock without a zone, in seconds.
std::optional<int64_t> parse_local(const std::string& text) {
  std::string whole = text;
  if (whole.size() > 10 && whole[10] == ' ') whole[10] = 'T';
  if (whole.size() == 16) whole += ":00";
  const auto ms = whole.size() == 19 ? parse_time(whole + "Z") : std::nullopt;
  if (!ms) return std::nullopt;
  return *ms / kSecond;
}

}  // namespace

int64_t from_local_s(const ZoneSpans& spans, int64_t local_s) {
  // No zone is two days from UTC.
  auto span = spans(local_s - 2 * kDay);
  while (local_s - span.offset_s >= span.until_s) span = spans(span.until_s);
  return std::max(local_s - span.offset_s, span.from_s);
}

int64_t next_occurrence_s(const Cron& cron, const ZoneSpans& spans, int64_t utc_s) {
  if (cron.names_no_hour()) return next_by_elapsed_s(cron, spans, utc_s);
  auto minute = floor_div(utc_s + spans(utc_s).offset_s, kMinute);
  for (;;) {
    minute = cron.next_after(minute);
    const auto moment = from_local_s(spans, minute * kMinute);
    if (moment > utc_s) return moment;
  }
}

Timing Timing::by_cron(const std::string& expression, const std::string& zone) {
  Timing timing;
  timing.x_kind = Kind::kCron;
  timing.x_words = expression;
  timing.x_zone = zone;
  timing.x_cron = Cron::parse(expression);
  timing.x_spans = find_zone(zone);
  return timing;
}

Timing Timing::by_interval(const std::string& every, int64_t anchor_ms) {
  const auto ms = parse_duration(every);
  if (!ms || *ms < kSecond || *ms > kLongestIntervalMs) {
    refuse_timing("\"" + every.substr(0, 80) + "\" is no interval",
                  "from 1s to 8784h (366 days), as in 90m");
  }
  Timing timing;
  timing.x_kind = Kind::kInterval;
  timing.x_words = every;
  timing.x_every_ms = *ms;
  timing.x_at_ms = anchor_ms;
  return timing;
}

Timing Timing::once(const std::string& at, const std::string& zone) {
  Timing timing;
  timing.x_words = at;
  timing.x_zone = zone;
  const auto spans = find_zone(zone);
  if (const auto time = parse_time(at)) {
    timing.x_at_ms = *time;
  } else if (const auto local = parse_local(at)) {
    timing.x_at_ms = from_local_s(spans, *local) * kSecond;
  } else {
    refuse_timing("\"" + at.substr(0, 80) + "\" is no time",
                  "as in 2026-12-01T09:00 (of --tz, or UTC) or 2026-12-01T09:00:00+01:00");
  }
  return timing;
}

Timing Timing::restore(std::string_view text) {
  const auto json = Json::parse(text);
  const std::string kind = json.value("kind", "");
  const std::string zone = json.value("tz", "UTC");
  if (kind == "cron") return by_cron(json.at("cron"), zone);
  if (kind == "interval") return by_interval(json.at("every"), json.at("anchor"));
  if (kind != "once") refuse_timing("a timing is cron, interval or once", {});
  Timing timing;
  timing.x_zone = zone;
  timing.x_at_ms = json.at("at");
  return timing;
}

std::string Timing::json() const {
  Json json = {{"text", text()}};
  switch (x_kind) {
    case Kind::kCron:
      json.update({{"kind", "cron"}, {"cron", x_words}, {"tz", x_zone}});
      break;
    case Kind::kInterval:
      json.update(
          {{"kind", "interval"}, {"every", x_words}, {"everyMs", x_every_ms}, {"anchor", x_at_ms}});
      break;
    case Kind::kOnce:
      json.update({{"kind", "once"}, {"at", x_at_ms}, {"tz", x_zone}});
      break;
  }
  return json.dump();
}

std::string Timing::text() const {
  const auto zone = x_zone == "UTC" ? "" : " " + x_zone;
  switch (x_kind) {
    case Kind::kCron:
      return x_words + zone;
    case Kind::kInterval:
      return "every " + x_words;
    case Kind::kOnce:
      break;
  }
  return "once at " + format_time(x_at_ms);
}

std::optional<int64_t> Timing::next_after(int64_t at_ms) const {
  switch (x_kind) {
    case Kind::kCron:
      return next_occurrence_s(x_cron, x_spans, floor_div(at_ms, kSecond)) * kSecond;
    case Kind::kInterval:
      return x_at_ms + (floor_div(at_ms - x_at_ms, x_every_ms) + 1) * x_every_ms;
    case Kind::kOnce:
      break;
  }
  return x_at_ms > at_ms ? std::optional(x_at_ms) : std::nullopt;
}

Timing::Missed Timing::missed(int64_t first_ms, int64_t now_ms) const {
  if (now_ms <= first_ms || x_kind == Kind::kOnce) return {};
  if (x_kind == Kind::kInterval) {
    const auto passed =
        floor_div(now_ms - x_at_ms, x_every_ms) - floor_div(first_ms - x_at_ms, x_every_ms);
    return {.count = static_cast<uint64_t>(passed)};
  }
  Missed missed;
  for (auto next = next_after(first_ms); *next <= now_ms; next = next_after(*next)) {
    if (missed.count == kMostCounted) return {.count = missed.count, .more = true};
    ++missed.count;
  }
  return missed;
}

}  // namespace reprise
