// Each occurrence fires at most once, occurrences of a schedule only go forward, and what is
// disabled does not fire: whatever commands come in between, and whatever the clock does.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <random>
#include <set>

#include "engine/cron/timing.h"
#include "journal/clock.h"
#include "tests/processes/schedules/harness.h"

namespace reprise::test {
namespace {

class Life {
 public:
  explicit Life(uint64_t seed) : x_random(seed) {}

  void step() {
    move_clock();
    switch (chance(12)) {
      case 0:
        return add();
      case 1:
        return edit();
      case 2:
        return toggle(true);
      case 3:
        return toggle(false);
      case 4:
        return remove();
      case 5:
        return fire();
      case 6:
        return again();
      case 7:
      case 8:
        return finish();
      default:
        return beat();
    }
  }

  /// What the events say so far.
  void check() {
    const auto& events = schedules.events();
    for (; x_seen < events.size(); ++x_seen) {
      const auto& [type, payload] = events[x_seen];
      if (type == "schedule.disabled" || type == "schedule.removed") off(payload);
      if (type == "schedule.enabled" || type == "schedule.added") on(type, payload);
      if (type == "schedule.finished")
        REQUIRE(x_running.erase(payload["scheduleId"].get<uint64_t>()) == 1);
      const bool passed = type == "schedule.skipped" || type == "schedule.fired";
      if (passed && payload["trigger"] == "due") pass(payload);
      if (type == "schedule.fired")
        REQUIRE(x_running.insert(payload["scheduleId"].get<uint64_t>()).second);
    }
  }

  TestSchedules schedules;
  uint64_t fired = 0;

 private:
  uint64_t chance(uint64_t of) { return x_random() % of; }

  /// Mostly a little forward, now and then a week, or back.
  void move_clock() {
    const auto kind = chance(20);
    const auto some = static_cast<int64_t>(chance(40)) * kMinute;
    x_clock += kind == 0 ? 10'080 * kMinute : kind == 1 ? -some : some;
    schedules.now_ms = std::max(schedules.now_ms, x_clock);  // as commits do
  }

  Timing timing() {
    constexpr const char* kCrons[] = {"*/7 * * * *", "30 2 * * *", "0 9 * * MON", "5 1 29 2 *"};
    constexpr const char* kZones[] = {"UTC", "Europe/Berlin", "America/St_Johns"};
    switch (chance(5)) {
      case 0:
        return Timing::by_interval(std::to_string(1 + chance(90)) + "m", x_clock);
      case 1:
        return Timing::once(format_time(x_clock + static_cast<int64_t>(1 + chance(50)) * kMinute),
                            "UTC");
      default:
        return Timing::by_cron(kCrons[chance(4)], kZones[chance(3)]);
    }
  }

  std::vector<Json> all() const {
    return schedules.ask({{"ask", "schedules"}}).get<std::vector<Json>>();
  }
  /// One of them; null when there is none.
  Json any() {
    const auto list = all();
    return list.empty() ? Json() : list[chance(list.size())];
  }

  /// As the commands do it: after now, and after what was due.
  std::optional<int64_t> next_of(const Timing& timing, const Json& schedule) const {
    const auto& last = schedule["lastOccurrence"];
    return timing.next_after(std::max(x_clock, last.is_null() ? 0 : last.get<int64_t>()));
  }

  void add() {
    if (all().size() >= 6) return;
    const auto when = timing();
    schedules.add(Json::parse(when.json()), when.next_after(x_clock).value());
  }

  void edit() {
    const auto schedule = any();
    if (schedule.is_null()) return;
    const auto when = timing();
    const auto next = next_of(when, schedule);
    if (!next) return;
    CHECK(schedules
              .signal("schedule.edit", {{"scheduleId", schedule["scheduleId"]},
                                        {"timing", Json::parse(when.json())},
                                        {"next", *next}})
              .empty());
  }

  void toggle(bool enabled) {
    const auto schedule = any();
    if (schedule.is_null()) return;
    Json value = {{"scheduleId", schedule["scheduleId"]}};
    if (!enabled) {
      CHECK(schedules.signal("schedule.disable", value).empty());
      return;
    }
    const auto next = next_of(Timing::restore(schedule["timing"].dump()), schedule);
    if (!next) return;
    value["next"] = *next;
    CHECK(schedules.signal("schedule.enable", value).empty());
  }

  void remove() {
    const auto schedule = any();
    if (schedule.is_null() || chance(3) != 0) return;
    CHECK(schedules.signal("schedule.remove", {{"scheduleId", schedule["scheduleId"]}}).empty());
  }

  void fire() {
    const auto schedule = any();
    if (schedule.is_null()) return;
    const auto code = schedules.signal("schedule.fire", {{"scheduleId", schedule["scheduleId"]}});
    CHECK(code == (schedule.contains("running") ? "SCHEDULE_RUNNING" : ""));
  }

  /// What the heartbeat does; with some delay, so that others may be faster.
  void beat() {
    const auto work = schedules.ask({{"ask", "work"}, {"now", x_clock}});
    for (const auto& schedule : work["due"]) {
      const auto when = Timing::restore(schedule["timing"].dump());
      const int64_t occurrence = schedule["next"];
      const auto next = when.next_after(std::max(x_clock, occurrence));
      const Json value = {{"scheduleId", schedule["scheduleId"]},
                          {"revision", schedule["revision"]},
                          {"occurrence", occurrence},
                          {"next", next ? Json(*next) : Json()},
                          {"missed", when.missed(occurrence, x_clock).count}};
      x_sent.push_back(value);
      CHECK(schedules.signal("schedule.due", value).empty());
    }
  }

  /// Something that was sent before comes again, judged or not.
  void again() {
    if (x_sent.empty()) return;
    const auto& value = x_sent[chance(x_sent.size())];
    if (chance(2) == 0) {
      CHECK_FALSE(schedules.signal("schedule.due", value).empty());
    } else {
      schedules.force("schedule.due", value);
    }
  }

  void finish() {
    if (schedules.open().empty()) return;
    const auto effect = schedules.open().begin()->first;
    if (chance(3) == 0) return schedules.fail(effect, "no");
    schedules.resolve(effect, {{"success", chance(2) == 0}});
  }

  void on(const std::string& type, const Json& payload) {
    const bool enabled = type == "schedule.enabled" || payload["enabled"] == true;
    if (enabled) x_enabled.insert(payload["scheduleId"].get<uint64_t>());
  }
  void off(const Json& payload) { x_enabled.erase(payload["scheduleId"].get<uint64_t>()); }

  void pass(const Json& payload) {
    const uint64_t id = payload["scheduleId"];
    const int64_t occurrence = payload["occurrence"];
    REQUIRE(x_enabled.contains(id));
    const auto last = x_last.find(id);
    if (last != x_last.end()) REQUIRE(occurrence > last->second);
    x_last[id] = occurrence;
    REQUIRE(occurrence <= x_clock);
    if (payload["next"].is_null()) {
      x_enabled.erase(id);
    } else {
      REQUIRE(payload["next"].get<int64_t>() > std::max(occurrence, x_clock - 1));
    }
    ++fired;
  }

  std::mt19937_64 x_random;
  int64_t x_clock = 1'767'225'600'000;
  std::vector<Json> x_sent;
  std::set<uint64_t> x_enabled;
  std::set<uint64_t> x_running;
  std::map<uint64_t, int64_t> x_last;
  size_t x_seen = 0;
};

TEST_CASE("Each occurrence fires at most once, going forward, and never when it is disabled") {
  const uint64_t lives = std::getenv("REPRISE_NIGHTLY") != nullptr ? 500 : 12;
  uint64_t fired = 0;
  for (uint64_t seed = 1; seed <= lives; ++seed) {
    INFO("seed " << seed);
    Life life(seed);
    for (int step = 0; step < 120; ++step) {
      life.step();
      life.check();
    }
    fired += life.fired;
  }
  CHECK(fired > lives * 5);
}

}  // namespace
}  // namespace reprise::test
