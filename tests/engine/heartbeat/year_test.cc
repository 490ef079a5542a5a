// A home that is left alone with a heartbeat every minute, for a year: runs that sleep, have
// children and fail, schedules of runs and of messages, an agent, a visor, and a loop that acts,
// asks for approval, and is not always understood. Whatever waits for somebody outside is answered
// after the beat.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/agents/agent.h"
#include "engine/ask.h"
#include "engine/cron/timing.h"
#include "engine/heartbeat/agents_chore.h"
#include "engine/heartbeat/loop_settings.h"
#include "engine/heartbeat/schedule_home.h"
#include "engine/heartbeat/schedules_chore.h"
#include "engine/heartbeat/subconscious_chore.h"
#include "engine/heartbeat/visor_chore.h"
#include "engine/index/queries.h"
#include "engine/post.h"
#include "processes/agents/agents.h"
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

constexpr int64_t kHourMs = 60 * kMinuteMs;
constexpr int64_t kDayMs = 24 * kHourMs;
/// A beat costs 0.3 milliseconds, and many times that with sanitizers: the whole year is
/// for the night.
uint64_t days() {
#ifdef REPRISE_SANITIZED
  return 1;
#else
  return std::getenv("REPRISE_NIGHTLY") == nullptr ? 14 : 365;
#endif
}
/// What the loop's evaluations say, in turn.
enum class Says : uint8_t { kNothingNew, kAct, kEscalate, kNothingReadable };
constexpr uint64_t kTurns = 4;

const Json kTimes3 = {{"everyMs", 10 * kMinuteMs}, {"times", 3}};

class YearHome : public BeatingHome {
 public:
  YearHome()
      : BeatingHome({habit(), schedules_process(), subconscious_process(), visor_process(),
                     channel_process(), memory_process(), agents_process()}) {
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
    chores.push_back(make_agents_chore());
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
  void schedule_run(const std::string& name, const Timing& timing, const Json& inputs) {
    schedule(name, timing, {{"kind", "run"}, {"entry", "builtin:habit"}, {"inputs", inputs}});
  }
  void schedule(const std::string& name, const Timing& timing, const Json& target) {
    const auto run = open_home_run(workspace, context(), schedules_run(true));
    const Json value = {{"name", name},
                        {"timing", Json::parse(timing.json())},
                        {"next", timing.next_after(kStartMs).value()},
                        {"target", target}};
    tell(*run.dir, context(),
         {{.name = "schedule.add", .value = parse_value(value.dump(), "it"), .key = {}}},
         After::kIterate, {});
  }
  /// An agent that looks around once a day, in a channel of its own.
  void agent(const std::string& id) {
    const auto folder_of_it = agent_folder(workspace.home_path(), id);
    std::filesystem::create_directories(folder_of_it);
    std::ofstream(folder_of_it + "/config.json")
        << Json{{"heartbeat", {{"enabled", true}, {"intervalMinutes", 1440}}}, {"channel", id}};
    std::ofstream(folder_of_it + "/HEARTBEAT.md") << "Look around.\n";
  }

  /// Does the work and answers the questions that are open.
  void work(RunIndex& index) {
    struct Open {
      std::string run;
      uint64_t id = 0;
      std::string kind;
      std::string task;
    };
    std::vector<Open> open;
    index.ask([&](Database& database) {
      open.clear();
      auto rows = database.prepare(
          "SELECT run, id, kind, task FROM effects WHERE kind IN "
          "('act', 'agent', 'breakpoint', 'evaluate', 'model') ORDER BY run, id");
      while (rows.next()) open.push_back({rows.text(0), rows.count(1), rows.text(2), rows.text(3)});
    });
    for (const auto& effect : open) {
      Post post;
      post.effect.id = effect.id;
      post.value = parse_value(answer(effect.kind, effect.task).dump(), "answer");
      post_result(*folder.world.runs->open_dir(effect.run), context(), post);
    }
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
  Json answer(const std::string& kind, const std::string& task) {
    if (kind == "evaluate") return evaluation();
    if (kind == "breakpoint") return {{"approved", true}};
    if (kind == "model") return {{"text", "It rains."}};
    if (task == "agents.heartbeat") return "HEARTBEAT_OK";
    return task == "heartbeat.analyse" ? "RECOMMENDED ACTION: tidy up" : "It is done.";
  }
  /// The first of the tasks gets what is due by turns, the others are as they were.
  Json evaluation() {
    const auto says = static_cast<Says>(x_evaluations++ % kTurns);
    if (says == Says::kNothingReadable) return "I have looked at everything.";
    const auto run = folder.world.runs->open_dir(kSubconsciousProcess);
    const auto tick = Json::parse(reprise::ask(*run, context(), R"({"ask":"tick"})"));
    Json answer = Json::array();
    for (const auto& id : tick.at("open")) {
      const bool is_first = answer.empty();
      const auto* decision = is_first && says == Says::kAct        ? "act"
                             : is_first && says == Says::kEscalate ? "escalate"
                                                                   : "noop";
      answer.push_back({{"taskId", id}, {"decision", decision}});
    }
    return answer;
  }

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
  home.schedule_run("nightly", Timing::by_cron("30 2 * * *", "Europe/Berlin"), kTimes3);
  home.schedule_run("once", Timing::once("2026-01-01T12:00", "UTC"), kTimes3);
  failing["failAt"] = 1;
  home.schedule_run("six hours", Timing::by_interval("6h", kStartMs), failing);

  home.schedule("question", Timing::by_cron("0 9 * * *", "UTC"),
                {{"kind", "message"},
                 {"channel", "general"},
                 {"prompt", "What is new?"},
                 {"author", "anna"}});
  home.agent("scout");

  auto index = home.index();
  uint64_t taken_on = 0;
  uint64_t loud = 0;
  for (uint64_t minute = 0; minute <= year * 1440 + 60; ++minute) {
    home.folder.world.clock.set(kStartMs + static_cast<int64_t>(minute) * kMinuteMs);
    const auto done = home.beat_with(index, home.chores);
    REQUIRE(done.errors.empty());
    REQUIRE(done.notes.empty());
    for (const auto& run : done.runs) taken_on += run.times;
    if (done.quiet()) continue;
    ++loud;
    home.work(index);
  }

  const uint64_t runs_fired = year + 4 * year + 1;  // nightly, each six hours, once
  const uint64_t firings = runs_fired + year;       // and the questions
  const uint64_t woke = year * 24 + 1 + 2 * year + weeks + 3 * year + year + 3 * year + 3;
  const uint64_t ticks = 4 * year + 1;  // also in the window behind the last day, as the agent's
  const uint64_t unread = ticks / kTurns;
  const uint64_t cards = (ticks + 1) / kTurns;
  // The channels of the home at the first beat, the thread of the questions, and each card twice:
  // it asks, and it was answered.
  const uint64_t bulletins = 2 + 2 * cards;
  CHECK(Json(index.ask(count_runs)) ==
        Json(Counts{{"waiting", 11}, {"completed", 2 * year + 1}, {"failed", year + 4 * year}}));
  CHECK(Json(index.ask(events_by_type)) == Json(Counts{{"agent.heartbeat.ok", year + 1},
                                                       {"agent.heartbeat.started", year + 1},
                                                       {"agent.status", 2 * year},
                                                       {"channel.created", 3},
                                                       {"channel.message.received", year},
                                                       {"channel.route.decided", year},
                                                       {"heartbeat.card.executed", cards},
                                                       {"heartbeat.card.raised", cards},
                                                       {"heartbeat.card.resolved", cards},
                                                       {"heartbeat.entry", 3 * (ticks - unread)},
                                                       {"heartbeat.report.recorded", ticks},
                                                       {"heartbeat.task.added", 3},
                                                       {"heartbeat.tick.completed", ticks - unread},
                                                       {"heartbeat.tick.evaluated", ticks - unread},
                                                       {"heartbeat.tick.failed", unread},
                                                       {"heartbeat.tick.opened", ticks},
                                                       {"memory.linked", bulletins - 1},
                                                       {"memory.saved", bulletins},
                                                       {"message.claimed", year},
                                                       {"message.created", 2 * year},
                                                       {"messages.processed", year},
                                                       {"schedule.added", 4},
                                                       {"schedule.finished", firings},
                                                       {"schedule.fired", firings},
                                                       {"visor.bulletin.generated", bulletins},
                                                       {"visor.signal.idle", year + 1},
                                                       {"woke", woke}}));
  CHECK(home.signals_of("hourly") == weeks);
  CHECK(home.folder.run("daily").state().counts.resolved_ok == 2 * year);
  CHECK(home.folder.run("failing").state().counts.resolved_error == year);
  CHECK(home.folder.run("weekly").state().counts.resolved_ok == 2 * weeks);
  CHECK(index.ask(IndexedHome::dump) == home.fresh());
  CHECK(loud < taken_on);
  INFO(taken_on << " times a run was taken on, in " << loud << " beats");
  for (const auto* run : {"hourly", "daily", "failing", "weekly", "schedules", "schedules-4-1",
                          "subconscious", "agents", "scout", "visor"}) {
    home.folder.run(run).check_replay();
  }
}

}  // namespace
}  // namespace reprise::test
