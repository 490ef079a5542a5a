// The chore of the subconscious loop over a real home and its index: when a tick opens, when none
// does, and that an idle home does not grow.
#include "engine/heartbeat/subconscious_chore.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine/ask.h"
#include "engine/claim.h"
#include "engine/family.h"
#include "engine/heartbeat/loop_settings.h"
#include "engine/heartbeat/situation.h"
#include "engine/heartbeat/task_file.h"
#include "engine/hooks/delivery_log.h"
#include "engine/post.h"
#include "processes/subconscious/subconscious.h"
#include "tests/engine/index/index_fixture.h"

using namespace reprise;
using namespace reprise::test;
using Json = nlohmann::json;

namespace {

constexpr const char* kRun = "subconscious";

class LoopHome {
 public:
  explicit LoopHome(bool evaluates = true)
      : x_workspace(HomeQuery{.runs_dir = {},
                              .home = x_home.path(""),
                              .environment_home = {},
                              .working_dir = "/",
                              .user_home = "/"},
                    false) {
    world().context.built_ins = x_built_ins;
    config = load_config({.user_file = {},
                          .home_file = {},
                          .environment = [](const std::string&) { return std::nullopt; },
                          .variables = {},
                          .set = {}});
    if (evaluates) configure_evaluator();
    const auto now = world().clock.now_ms();
    world().clock.advance(5 * kMinuteMs - now % (5 * kMinuteMs));  // a window begins
  }

  World& world() { return x_home.folder.world; }
  void configure_evaluator() {
    config.executors.push_back({"mock", "mock", R"({"type":"mock"})", "test"});
    MatchRule rule;
    rule.kind = "evaluate";
    rule.executor = "mock";
    config.match.push_back(rule);
  }
  void set(const char* key, const Json& value) {
    auto section = Json::parse(config.sections.at("heartbeat"));
    section[key] = value;
    config.sections["heartbeat"] = section.dump();
  }

  /// A heartbeat of this chore alone: the keys of what was due, without the time.
  std::string beat() {
    std::string keys;
    for (const auto& each : due()) {
      keys += (keys.empty() ? "" : " ") + each.key.substr(0, each.key.find('@'));
      perform(each);
    }
    return keys;
  }
  std::vector<Due> due() {
    std::vector<Due> found;
    with_beat([&](BeatHome& home) { found = make_subconscious_chore()->due(home); });
    return found;
  }
  void perform(const Due& due) {
    with_beat([&](BeatHome& home) { make_subconscious_chore()->perform(home, due); });
  }
  std::string beat_after(int64_t ms) {
    world().clock.advance(ms);
    return beat();
  }

  /// What the next tick would be told.
  Json report() {
    Json report;
    with_beat([&](BeatHome& home) { report = situation(home, 0, {}); });
    return report;
  }
  std::string path() const { return x_home.path(""); }
  void emit(const std::string& type, const Json& payload) {
    x_home.emit(kRun, type, payload.dump());
  }

  bool exists() { return world().runs->open_dir(kRun) != nullptr; }
  Json ask(Json question) {
    question["at"] = world().clock.now_ms();
    return Json::parse(reprise::ask(*run(), world().context, question.dump()));
  }
  void tell(const std::string& name, const Json& value) {
    const Signal signal{.name = name, .value = parse_value(value.dump(), "value"), .key = {}};
    const auto dir = run();
    reprise::tell(*dir, world().context, {signal}, After::kIterate, {});
  }
  Json open_tasks() { return ask({{"ask", "tick"}}).at("open"); }
  /// The open evaluation is answered: nothing new.
  void answer() {
    const auto beat_answer = ask({{"ask", "beat"}});
    Post post;
    post.effect.id = beat_answer.at("evaluation");
    post.ok = true;
    auto list = Json::array();
    const auto open = open_tasks();
    for (const auto& id : open) {
      list.push_back({{"taskId", id}, {"decision", "noop"}});
    }
    post.value = parse_value(list.dump(), "answer");
    const auto dir = run();
    post_result(*dir, world().context, post);
    iterate(*dir, world().context);
  }
  void claim() {
    claim_effect(
        *run(), world().context,
        {.effect = {}, .kind = "evaluate", .worker = "bot", .token = {}, .lease_ms = 36'000'000});
  }
  /// Another loop, by name.
  void make(const std::string& name) {
    auto wanted = subconscious_run({}, false);
    wanted.name = name;
    const auto made = open_home_run(x_workspace, world().context, wanted);
    iterate(*made.dir, world().context);
  }
  std::string journal() const { return x_home.journal(kRun); }
  void write_file(const std::string& text) { write_text(x_home.path("HEARTBEAT.md"), text); }
  size_t commits() { return TestRun(world(), run()).commits(); }
  void drop_index() {
    std::filesystem::remove(x_home.path("index.db"));
    std::filesystem::remove(x_home.path("changes.log"));
  }

  Config config;
  AskedRuns asked;

 private:
  void with_beat(const std::function<void(BeatHome&)>& use) {
    auto index = x_home.index();
    BeatHome home{x_workspace, world().context,        index, asked,
                  config,      world().clock.now_ms(), false};
    use(home);
  }
  std::unique_ptr<Dir> run() { return world().runs->open_dir(kRun); }

  const std::vector<BuiltIn> x_built_ins = {subconscious_process()};
  IndexedHome x_home;
  Workspace x_workspace;
};

}  // namespace

TEST_CASE("Without an executor that evaluates no tick opens, and no run is made") {
  LoopHome home(false);
  CHECK(home.beat().empty());
  CHECK_FALSE(home.exists());
  home.configure_evaluator();
  home.set("enabled", false);
  CHECK(home.beat().empty());
  home.set("enabled", true);
  home.set("inferenceEnabled", false);
  CHECK(home.beat().empty());
  CHECK_FALSE(home.exists());
}

TEST_CASE("A window has one tick, however many beats it has, and idle beats record nothing") {
  LoopHome home;
  CHECK(home.beat() == "tick");
  CHECK(home.ask({{"ask", "status"}}).at("tick").at("state") == "open");
  home.answer();
  CHECK(home.ask({{"ask", "status"}}).at("tick").at("state") == "completed");
  const auto commits = home.commits();
  for (int minute = 1; minute < 5; ++minute) CHECK(home.beat_after(kMinuteMs).empty());
  CHECK(home.commits() == commits);
  CHECK(home.beat_after(kMinuteMs) == "tick");
}

TEST_CASE("A clock that steps back opens no window a second time") {
  LoopHome home;
  for (int i = 0; i < 2; ++i) {
    CHECK(home.beat() == "tick");
    home.answer();
    home.world().clock.advance(5 * kMinuteMs);
  }
  home.world().clock.advance(-10 * kMinuteMs);
  for (int i = 0; i < 2; ++i) {
    CHECK(home.beat().empty());
    home.world().clock.advance(5 * kMinuteMs);
  }
  CHECK(home.beat() == "tick");
}

TEST_CASE("Cron that comes late skips no window") {
  LoopHome home;
  size_t ticks = 0;
  for (const int64_t late_ms : {0, 59'000, 3'000, 41'000, 0, 7'000}) {
    home.world().clock.advance(late_ms);
    if (home.beat() == "tick") ++ticks;
    home.answer();
    home.world().clock.advance(5 * kMinuteMs - late_ms);
  }
  CHECK(ticks == 6);
}

TEST_CASE("A tick that nobody begins is left alone for an hour, one in hand is taken over") {
  LoopHome home;
  CHECK(home.beat() == "tick");
  for (int window = 1; window < 12; ++window) CHECK(home.beat_after(5 * kMinuteMs).empty());
  CHECK(home.beat_after(5 * kMinuteMs) == "tick");
  home.claim();
  CHECK(home.beat_after(5 * kMinuteMs) == "tick");
  CHECK(home.ask({{"ask", "tick"}}).at("total") == 3);
}

TEST_CASE("Nothing opens when the loop is paused, or no task is due") {
  LoopHome home;
  home.beat();
  home.answer();
  home.tell("heartbeat.pause", {{"reason", "holiday"}});
  CHECK(home.beat_after(5 * kMinuteMs).empty());
  home.tell("heartbeat.resume", Json::object());
  for (const char* task : {"task-1", "task-2", "task-3"}) {
    home.tell("task.disable", {{"taskId", task}});
  }
  CHECK(home.beat().empty());
  home.tell("task.enable", {{"taskId", "task-2"}});
  CHECK(home.beat() == "tick");
}

TEST_CASE("A loop that cannot be read for a moment gets no tick that nobody wants") {
  LoopHome home;
  CHECK(home.beat() == "tick");
  home.answer();
  home.set("inferenceEnabled", false);
  home.world().clock.advance(5 * kMinuteMs);
  const auto whole = read_text(home.journal());
  write_text(home.journal(), "damaged\n");
  const auto due = home.due();
  REQUIRE(due.size() == 1);
  CHECK_THROWS_AS(home.perform(due.front()), Error);
  write_text(home.journal(), whole);
  const auto commits = home.commits();
  home.perform(due.front());
  CHECK(home.commits() == commits);
}

TEST_CASE("Two loops have their ticks in one beat") {
  LoopHome home;
  home.make("subconscious-night");
  const auto due = home.due();
  REQUIRE(due.size() == 2);
  CHECK(due[0].key != due[1].key);
}

TEST_CASE("HEARTBEAT.md is taken over when it changed, also when nothing is evaluated") {
  LoopHome home;
  home.beat();
  home.answer();
  home.set("inferenceEnabled", false);
  home.write_file("- Watch the build\n");
  CHECK(home.beat() == "file");
  CHECK(home.beat().empty());
  CHECK(home.ask({{"ask", "tasks"}}).size() == 4);
  home.write_file("- Watch the build\n- \xff\n");
  CHECK(home.beat().empty());
  home.write_file("");
  CHECK(home.beat() == "file");
  CHECK(home.ask({{"ask", "tasks"}}).at(3).at("enabled") == false);
}

TEST_CASE("A morning of minutes opens a tick in every window, and serves each cron time once") {
  LoopHome home;
  home.beat();
  home.answer();
  const auto first = home.world().clock.now_ms();
  home.tell("task.add", {{"title", "Every hour"},
                         {"recurrence", "cron"},
                         {"cron", "0 * * * *"},
                         {"next", first - first % 3'600'000 + 3'600'000}});
  size_t ticks = 0;
  size_t hourly = 0;
  for (int minute = 0; minute < 6 * 60; ++minute) {
    if (minute == 200) home.drop_index();
    if (home.beat_after(kMinuteMs) != "tick") continue;
    ++ticks;
    const auto open = home.open_tasks();
    for (const auto& id : open) hourly += id == "task-4" ? 1 : 0;
    home.answer();
  }
  CHECK(ticks == 72);
  CHECK(hourly == 6);
  CHECK(home.ask({{"ask", "status"}}).at("failures") == 0);
}

TEST_CASE("The report names hooks that did not get everything and channels that are degraded") {
  LoopHome home;
  home.config.sections["hooks"] =
      Json{{"audit", {{"types", {"deploy.*"}}, {"command", {"true"}}}}}.dump();
  DeliveryLog log(home.path(), "audit");
  log.begin(0);
  CHECK(home.report().at("environment").get<std::string>().find("Hook") == std::string::npos);
  log.add_undelivered({"web", 3}, {.attempts = 10, .parked = true, .error = "status 500"});
  log.add_undelivered({"web", 4}, {.attempts = 1, .error = "no answer"});
  CHECK(home.report()
            .at("environment")
            .get<std::string>()
            .find("Hook audit: 2 events are not delivered, 1 of them given up: no answer\n") !=
        std::string::npos);
  home.beat();
  home.emit("visor.signal.channel_degraded", {{"channelId", "ops"}});
  home.emit("visor.signal.channel_degraded", {{"channelId", 7}});  // a script may say anything
  CHECK(home.report().at("runs") ==
        "- a channel is degraded: workers failed\n- ops is degraded: workers failed\n");
}

TEST_CASE("A task file is read line by line") {
  const auto titles = [](const std::string& text) { return parse_task_file(text).titles; };
  using Titles = std::vector<std::string>;
  CHECK(titles("- one\n  * two\n\t+ three\n10. four\nfive\r\n") ==
        Titles{"one", "two", "three", "four", "five"});
  CHECK(titles("# head\n\n---\n***\n- [x] done\n- [ ] open\n") == Titles{"open"});
  CHECK(titles("a<!-- b\nc -->d\n- e\n<!-- f\n- g\n") == Titles{"a", "d", "e"});
  CHECK(titles("- same\n* same\n") == Titles{"same"});
  CHECK(titles("-no mark\n2024 was long\n") == Titles{"-no mark", "2024 was long"});
  CHECK(titles("").empty());
  CHECK_FALSE(parse_task_file("").digest.empty());
}

TEST_CASE("A task file that is too large, no UTF-8 or has too much in it is a notice") {
  const auto large = parse_task_file(std::string(kLargestTaskFile + 1, 'x'));
  CHECK(large.digest.empty());
  CHECK(large.notices.size() == 1);
  CHECK(parse_task_file("- a\xff").digest.empty());
  const auto line = parse_task_file(std::string(kMostFileTitleBytes + 1, 'x') + "\n- good\n");
  CHECK(line.titles == std::vector<std::string>{"good"});
  CHECK(line.notices.size() == 1);
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "- task " + std::to_string(i) + "\n";
  const auto file = parse_task_file(many);
  CHECK(file.titles.size() == kMostFileTasks);
  CHECK_FALSE(file.notices.empty());
  CHECK(file.notices.size() <= 10);
  CHECK(parse_task_file("a\tb\n- \x01\n").titles.empty());
}
