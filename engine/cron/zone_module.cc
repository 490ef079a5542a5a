#include "engine/cron/zone_module.h"

#include <cctz/time_zone.h>

#include <chrono>
#include <new>

struct reprise_zone {
  cctz::time_zone zone;
};

namespace {

using Seconds = cctz::time_point<cctz::seconds>;

reprise_zone* open_zone(const char* name) noexcept {
  try {
    cctz::time_zone zone;
    if (!cctz::load_time_zone(name, &zone)) return nullptr;
    return new reprise_zone{zone};
  } catch (...) {  // no memory: the same as none
    return nullptr;
  }
}

void close_zone(reprise_zone* zone) noexcept { delete zone; }

/// When it happened: the local time behind it exists, once or for the second time.
int64_t moment_of(const cctz::time_zone& zone, const cctz::time_zone::civil_transition& change) {
  return zone.lookup(change.to).trans.time_since_epoch().count();
}

reprise_zone_span span_at(const reprise_zone* it, int64_t utc_s, int64_t never) noexcept {
  const auto& zone = it->zone;
  const Seconds at{cctz::seconds(utc_s)};
  reprise_zone_span span{-never, never, zone.lookup(at).offset};
  cctz::time_zone::civil_transition change;
  if (zone.prev_transition(at + cctz::seconds(1), &change)) span.from_s = moment_of(zone, change);
  if (zone.next_transition(at, &change)) span.until_s = moment_of(zone, change);
  return span;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const reprise_module_header*
reprise_zones_module() {
  static const reprise_zone_table kTable = {
      {REPRISE_ZONES_ABI, {REPRISE_VERSION, sizeof REPRISE_VERSION - 1}},
      open_zone,
      close_zone,
      span_at};
  return &kTable.module;
}
