// A home that is left alone with a heartbeat every minute, for a year: runs that sleep, have
// children and fail, schedules, a loop whose evaluator is not always understood, and a visor.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "engine/ask.h"
#include "engine/cron/timing.h"
#include "engine/heartbeat/loop_settings.h"
#include "engine/heartbeat/schedule_home.h"
#include "engine/heartbeat/schedules_chore.h"
#include "engine/heartbeat/subconscious_chore.h"
#include "engine/heartbeat/visor_chore.h"
#include "engine/index/queries.h"
#include "engine/post.h"
#include "processes/channel/channel.h"
#include "processes/memory/memory.h"
#include "processes/schedules/schedules.h"
#include "processes/subconscious/subconscious.h"
#include "processes/visor/visor.h"
#include "tests/engine/heartbeat/beat_home.h"
#include "tests/engine/heartbeat/habit.h"

namespace reprise::test {
namespace {

using Json = nlohmann::json;

constexpr int64_t kMinuteMs = 60'000;
constexpr int64_t kHourMs = 60 * kMinuteMs;
constexpr int64_t kDayMs = 24 * kHourMs;
/// A beat costs one or two milliseconds, and many times that with sanitizers: the whole year is for
/// the night.
uint64_t days() {
#ifdef REPRISE_SANITIZED
  return 1;
#else
  return std::getenv("REPRISE_NIGHTLY") == nullptr ? 14 : 365;
#endif
}
/// Of the loop's evaluations, each of this number cannot be read.
constexpr uint64_t kUnread = 4;

const Json kTimes3 = {{"everyMs", 10 * kMinuteMs}, {"times", 3}};

class YearHome : public BeatingHome {
 public:
  YearHome()
      : BeatingHome({habit(), schedules_process(), subconscious_process(), visor_process(),
                     channel_process(), memory_process()}) {
    simulated = true;
    config = load_config({.user_file = {},
                          .home_file = {},
                          .environment = [](const std::string&) { return std::nullopt; },
                          .variables = {},
                          .set = {"heartbeat.intervalMinutes=360"}});
    config.executors.push_back({"mock", "mock", R"({"type":"mock"})", "test"});
    MatchRule rule;
    rule.kind = "evaluate";
    rule.executor = "mock";
    config.match.push_back(rule);
    chores.push_back(make_schedules_chore());
    chores.push_back(make_subconscious_chore());
    chores.push_back(make_visor_chore());
  }

  Context& context() { return folder.world.context; }

  void create(const std::string& id, const std::string& process, const Json& inputs) {
    CreateRequest request;
    request.run_id = id;
    request.process.built_in = process;
    request.inputs = parse_value(inputs.dump(), "inputs");
    request.simulated = true;
    request.labels = {{std::string(kAutodriveLabel), std::string(kAutodriveValue)}};
    create_run(folder.world.runs.get(), runs_path, context(), folder.folder().read, request);
  }
  void habit_run(const std::string& id, int64_t every_ms, const Json& more = Json::object()) {
    Json inputs = {{"everyMs", every_ms}, {"times", 1'000'000}};
    inputs.update(more);
    create(id, "habit", inputs);
  }
  void schedule(const std::string& name, const Timing& timing, const Json& inputs) {
    const auto run = open_home_run(workspace, context(), schedules_run(true));
    const Json value = {
        {"name", name},
        {"timing", Json::parse(timing.json())},
        {"next", timing.next_after(kStartMs).value()},
        {"target", {{"kind", "run"}, {"entry", "builtin:habit"}, {"inputs", inputs}}}};
    tell(*run.dir, context(),
         {{.name = "schedule.add", .value = parse_value(value.dump(), "it"), .key = {}}},
         After::kIterate, {});
  }

  /// Answers what a beat had evaluated: nothing new, or nothing that can be read.
  void evaluate() {
    const auto run = folder.world.runs->open_dir(kSubconsciousProcess);
    const auto ask_it = [&](const char* question) {
      return Json::parse(reprise::ask(*run, context(), question));
    };
    const auto tick = ask_it(R"({"ask":"tick"})");
    if (tick.at("evaluation") == 0) return;
    Json answer = Json::array();
    for (const auto& id : tick.at("open")) {
      answer.push_back({{"taskId", id}, {"decision", "noop"}});
    }
    if (++x_evaluations % kUnread == 0) answer = "I have looked at everything.";
    Post post;
    post.effect.id = tick.at("evaluation");
    post.value = parse_value(answer.dump(), "answer");
    post_result(*run, context(), post);
  }

  uint64_t signals_of(const std::string& run) {
    uint64_t signals = 0;
    read_journal(folder.run(run).dir(), nullptr, Keep::kNothing, [&](const RecordView& record) {
      if (record.type == RecordType::kSignalReceived) ++signals;
    });
    return signals;
  }

  std::vector<std::unique_ptr<Chore>> chores;

 private:
  uint64_t x_evaluations = 0;
};

using Counts = std::map<std::string, uint64_t>;

Counts events_by_type(Database& database) {
  Counts counts;
  auto row = database.prepare("SELECT type, count(*) FROM events GROUP BY type");
  while (row.next()) counts[row.text(0)] = row.count(1);
  return counts;
}

TEST_CASE("A year of minutes does everything in its time, once") {
  const uint64_t year = days();
  const uint64_t weeks = year / 7;
  YearHome home;
  home.create("general", "channel", {{"id", "general"}, {"platform", "local"}});
  home.habit_run("hourly", kHourMs);
  home.habit_run("daily", kDayMs, {{"child", kTimes3}});
  Json failing = kTimes3;
  failing["failAt"] = 2;
  home.habit_run("failing", kDayMs, {{"child", failing}});
  home.habit_run("weekly", 7 * kDayMs, {{"tell", "hourly"}});
  // In spring its hour is skipped, in autumn it comes twice.
  home.schedule("nightly", Timing::by_cron("30 2 * * *", "Europe/Berlin"), kTimes3);
  home.schedule("once", Timing::once("2026-01-01T12:00", "UTC"), kTimes3);
  failing["failAt"] = 1;
  home.schedule("six hours", Timing::by_interval("6h", kStartMs), failing);

  auto index = home.index();
  uint64_t taken_on = 0;
  uint64_t loud = 0;
  for (uint64_t minute = 0; minute <= year * 1440 + 60; ++minute) {
    home.folder.world.clock.set(kStartMs + static_cast<int64_t>(minute) * kMinuteMs);
    const auto done = home.beat_with(index, home.chores);
    REQUIRE(done.errors.empty());
    REQUIRE(done.notes.empty());
    for (const auto& run : done.runs) taken_on += run.times;
    for (const auto& chore : done.chores) {
      if (chore.chore == "subconscious") home.evaluate();
    }
    loud += done.quiet() ? 0 : 1;
  }

  const uint64_t firings = year + 4 * year + 1;  // nightly, each six hours, once
  const uint64_t woke = year * 24 + 1 + 2 * year + weeks + 3 * year + year + 3 * year + 3;
  const uint64_t ticks = 4 * year + 1;  // also in the window behind the last day
  const uint64_t unread = ticks / kUnread;
  CHECK(index.ask(count_runs) ==
        Counts{{"waiting", 8}, {"completed", 2 * year + 1}, {"failed", year + 4 * year}});
  CHECK(index.ask(events_by_type) == Counts{{"channel.created", 1},
                                            {"heartbeat.entry", 3 * (ticks - unread)},
                                            {"heartbeat.report.recorded", ticks},
                                            {"heartbeat.task.added", 3},
                                            {"heartbeat.tick.completed", ticks - unread},
                                            {"heartbeat.tick.evaluated", ticks - unread},
                                            {"heartbeat.tick.failed", unread},
                                            {"heartbeat.tick.opened", ticks},
                                            {"memory.saved", 1},
                                            {"schedule.added", 3},
                                            {"schedule.finished", firings},
                                            {"schedule.fired", firings},
                                            {"visor.bulletin.generated", 1},
                                            {"visor.signal.idle", 1},
                                            {"woke", woke}});
  CHECK(home.signals_of("hourly") == weeks);
  CHECK(home.folder.run("daily").state().counts.resolved_ok == 2 * year);
  CHECK(home.folder.run("failing").state().counts.resolved_error == year);
  CHECK(home.folder.run("weekly").state().counts.resolved_ok == 2 * weeks);
  CHECK(index.ask(IndexedHome::dump) == home.fresh());
  CHECK(loud < taken_on);
  INFO(taken_on << " times a run was taken on, in " << loud << " beats");
  for (const auto* run : {"hourly", "daily", "failing", "weekly", "schedules", "subconscious"}) {
    home.folder.run(run).check_replay();
  }
}

}  // namespace
}  // namespace reprise::test
