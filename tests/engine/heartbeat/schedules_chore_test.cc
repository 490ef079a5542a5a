// The chores of schedules and of deliveries in a real home: what is due, what comes of it, and that
// a second beat finds nothing more.
#include "engine/heartbeat/schedules_chore.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine/ask.h"
#include "engine/cron/timing.h"
#include "engine/family.h"
#include "engine/heartbeat/deliveries_chore.h"
#include "engine/heartbeat/schedule_home.h"
#include "engine/hooks/delivery_log.h"
#include "engine/put_away.h"
#include "processes/channel/channel.h"
#include "processes/schedules/schedules.h"
#include "tests/engine/index/index_fixture.h"

namespace reprise::test {
namespace {

using Json = nlohmann::json;

constexpr int64_t kMinute = 60'000;

class Home : public IndexedHome {
 public:
  Home() {
    auto& all = folder.world.built_ins;
    all.push_back(channel_process());
    all.push_back(schedules_process());
    folder.world.context.built_ins = all;
  }

  Context& context() { return folder.world.context; }
  int64_t now_ms() { return folder.world.clock.now_ms(); }
  void pass(int64_t ms) { folder.world.clock.advance(ms); }

  /// Does what is due; the keys of it.
  std::string beat(Chore& chore) {
    auto all = index();
    BeatHome home{.workspace = workspace,
                  .context = context(),
                  .index = all,
                  .asked = asked,
                  .config = config,
                  .now_ms = now_ms()};
    std::string keys;
    for (const auto& due : chore.due(home)) {
      keys += (keys.empty() ? "" : " ") + due.key;
      try {
        chore.perform(home, due);
      } catch (const Error& error) {
        keys += "!" + error.code();
      }
    }
    return keys;
  }

  Told tell(const std::string& name, const Json& value) {
    const auto run = open_home_run(workspace, context(), schedules_run(false));
    return tell_among({workspace.runs(), workspace.runs_path(), {}}, run.name, *run.dir, context(),
                      {{.name = name, .value = parse_value(value.dump(), name)}}, After::kIterate,
                      {});
  }

  void add(const Timing& timing, const Json& target) {
    tell("schedule.add", {{"timing", Json::parse(timing.json())},
                          {"next", timing.next_after(now_ms()).value()},
                          {"target", target}});
  }

  /// What the run itself owes others: messages that it sends.
  void settle(const std::string& name) {
    const auto run = workspace.find(name);
    iterate_among({workspace.runs(), workspace.runs_path(), {}}, run.name, *run.dir, context());
  }

  Json ask(const std::string& run, const Json& question) {
    return Json::parse(
        ::reprise::ask(*workspace.find(run).dir, context(), question.dump(), Past::kWhole));
  }

  void make_channel(const std::string& id) {
    CreateRequest request;
    request.run_id = id;
    request.process.built_in = "channel";
    request.inputs = parse_value(Json{{"id", id}, {"platform", "local"}}.dump(), "inputs");
    create_run(
        &workspace.runs(), runs_path, context(),
        [](const std::string&) -> std::optional<std::string> { return {}; }, request);
    settle(id);
  }

  /// An executor's reply to what the thread was told.
  void reply(const std::string& thread, const std::string& text) {
    settle(thread);
    const auto run = workspace.find(thread);
    Post post;
    for (const auto& [id, effect] : read_state(*run.dir).state.open) {
      if (effect.kind == "model") post.effect.id = id;
    }
    post.value = parse_value(Json{{"text", text}}.dump(), "reply");
    post_result(*run.dir, context(), post);
    settle(thread);
  }

  Workspace workspace{{.runs_dir = runs_path}, true};
  Config config;
  AskedRuns asked;
};

const Json kMake = {{"kind", "command"}, {"command", "make"}};
const Json kQuestion = {
    {"kind", "message"}, {"channel", "general"}, {"prompt", "What is new?"}, {"author", "anna"}};

TEST_CASE("A schedule that is due fires once, however many beats come") {
  Home home;
  const auto chore = make_schedules_chore();
  CHECK(home.beat(*chore).empty());
  home.add(Timing::by_cron("0 * * * *", "UTC"), kMake);
  CHECK(home.beat(*chore).empty());
  home.pass(60 * kMinute);
  const auto key = home.beat(*chore);
  CHECK(key == "fire:1@" + std::to_string(kStartMs + 60 * kMinute));
  CHECK(home.beat(*chore).empty());
  SECTION("and what was missed fires once") {
    home.tell("schedule.disable", {{"scheduleId", 1}});
    home.tell("schedule.enable", {{"scheduleId", 1}, {"next", kStartMs + 120 * kMinute}});
    const auto run = home.workspace.find("schedules");
    Post post;
    post.effect.id = 1;
    post.value = parse_value(R"({"success":true})", "result");
    post_result(*run.dir, home.context(), post);
    home.settle("schedules");
    home.pass(600 * kMinute);
    CHECK(home.beat(*chore) == "fire:1@" + std::to_string(kStartMs + 120 * kMinute));
    const auto log = home.ask("schedules", {{"ask", "log"}});
    REQUIRE(log.size() == 2);
    CHECK(log[0]["outcome"] == "done");
    CHECK(log[1]["missed"] == 9);
    CHECK(home.ask("schedules", {{"ask", "schedule"}, {"scheduleId", 1}})["next"] ==
          home.now_ms() + 60 * kMinute);
  }
}

TEST_CASE("A message goes through its thread, and a thread without news goes") {
  Home home;
  const auto chore = make_schedules_chore();
  home.make_channel("general");
  Json question = kQuestion;
  question["autoDeleteMs"] = 5 * kMinute;
  home.add(Timing::by_interval("1h", home.now_ms()), question);
  home.pass(60 * kMinute);
  CHECK_FALSE(home.beat(*chore).empty());
  home.settle("schedules");
  CHECK(home.beat(*chore).empty());
  home.reply("schedules-1-1", "It rains.");
  CHECK(home.beat(*chore) == "hear:1");
  CHECK(home.ask("schedules", {{"ask", "log"}})[0]["text"] == "It rains.");
  CHECK(home.ask("schedules-1-1", {{"ask", "identity"}})["parent"] == "general");

  home.pass(60 * kMinute);
  CHECK(home.beat(*chore).starts_with("fire:1@"));
  home.settle("schedules");
  home.reply("schedules-1-1", " [EPHEMERAL] nothing");
  CHECK(home.beat(*chore) == "hear:2");
  home.settle("schedules");
  CHECK(home.beat(*chore).empty());
  home.pass(5 * kMinute);
  CHECK(home.beat(*chore) == "drop:schedules-1-1");
  CHECK_FALSE(home.workspace.runs().stat("schedules-1-1"));
  CHECK(is_archived(home.runs_path, "schedules-1-1"));
  CHECK(home.beat(*chore).empty());

  SECTION("the next message makes another one") {
    home.pass(60 * kMinute);
    CHECK(home.beat(*chore).starts_with("fire:1@"));
    CHECK(home.workspace.runs().stat("schedules-1-2"));
  }
  SECTION("without its channel the schedule fails, and goes on") {
    home.workspace.runs().remove_tree("general");
    home.pass(60 * kMinute);
    CHECK(home.beat(*chore).starts_with("fire:1@"));
    const auto schedule = home.ask("schedules", {{"ask", "schedule"}, {"scheduleId", 1}});
    CHECK(schedule["last"]["outcome"] == "failed");
    CHECK(schedule["enabled"] == true);
  }
}

TEST_CASE("A thread that cannot be read stops no other schedule") {
  Home home;
  const auto chore = make_schedules_chore();
  home.make_channel("general");
  home.add(Timing::by_interval("1h", home.now_ms()), kQuestion);
  home.add(Timing::by_interval("90m", home.now_ms()), kMake);
  home.pass(60 * kMinute);
  CHECK(home.beat(*chore).starts_with("fire:1@"));
  home.settle("schedules");
  const auto journal = home.journal("schedules-1-1");
  auto damaged = read_text(journal);
  damaged[damaged.size() / 2] ^= 1;
  write_text(journal, damaged);
  std::filesystem::remove_all(home.runs_path + "/schedules-1-1/state");
  home.pass(30 * kMinute);
  const auto done = home.beat(*chore);
  CHECK(done.find("fire:2@") == 0);
  CHECK(done.find("hear:1!JOURNAL_CORRUPT") != std::string::npos);
}

TEST_CASE("Ten thousand minutes of a schedule have all its occurrences") {
  Home home;
  const auto chore = make_schedules_chore();
  home.make_channel("general");
  // The channel is gone at once: each occurrence ends where it began, and nothing is left open.
  home.add(Timing::by_cron("*/30 2 * * *", "Europe/Berlin"),
           {{"kind", "message"}, {"channel", "gone"}, {"prompt", "?"}, {"author", "anna"}});
  for (int i = 0; i < 10'000; i += 7) {  // late, and never at the minute
    home.pass(7 * kMinute);
    home.beat(*chore);
  }
  const auto schedule = home.ask("schedules", {{"ask", "schedule"}, {"scheduleId", 1}});
  CHECK(schedule["fired"] == 14);
  CHECK(schedule["missed"] == 0);
}

void write_receiver(const std::string& path, const std::string& body) {
  write_text(path, "#!/bin/sh\n" + body + "\n");
  ::chmod(path.c_str(), 0700);
}

TEST_CASE("What a hook could not be told is delivered by a later beat, and parked in the end") {
  Home home;
  const auto got = home.temp.path() + "/got";
  const auto receiver = home.temp.path() + "/receiver";
  const auto chore = make_deliveries_chore([] {});
  home.start("web");
  home.emit("web", "deploy.before");
  home.pass(kMinute);
  home.config.sections["hooks"] =
      Json{{"audit", {{"types", {"deploy.*"}}, {"command", {receiver}}, {"attempts", 2}}}}.dump();
  CHECK(home.beat(*chore) == "begin:audit");
  CHECK(home.beat(*chore).empty());
  home.pass(kMinute);
  home.emit("web", "deploy.done");
  home.emit("web", "other.thing");
  CHECK(home.beat(*chore).empty());  // young: its command is about to deliver it
  home.pass(kMinute);
  write_receiver(receiver, "exit 3");
  CHECK(home.beat(*chore) == "send:audit");
  CHECK(home.beat(*chore).empty());  // not before its pause is over

  DeliveryLog log(home.workspace.home_path(), "audit");
  REQUIRE(log.read());
  REQUIRE(log.undelivered().size() == 1);
  CHECK(log.undelivered().begin()->second.error == "exit code 3");
  home.pass(kMinute);
  SECTION("it is delivered when the receiver is back, once") {
    write_receiver(receiver, "echo $REPRISE_EVENT_TYPE >> " + got);
    CHECK(home.beat(*chore) == "send:audit");
    CHECK(home.beat(*chore).empty());
    write_text(home.path("index.db"), "no database");
    CHECK(home.beat(*chore).empty());
    CHECK(read_text(got) == "deploy.done\n");
  }
  SECTION("it is parked after its last attempt") {
    CHECK(home.beat(*chore) == "send:audit");
    home.pass(1440 * kMinute);
    CHECK(home.beat(*chore).empty());
    REQUIRE(log.read());
    CHECK(log.undelivered().begin()->second.parked);
  }
  SECTION("a hook that is taken out begins anew when it comes back") {
    const auto hooks = home.config.sections["hooks"];
    home.config.sections["hooks"] = "{}";
    CHECK(home.beat(*chore) == "end:audit");
    home.emit("web", "deploy.done");
    home.pass(kMinute);
    home.config.sections["hooks"] = hooks;
    CHECK(home.beat(*chore) == "begin:audit");
    home.pass(kMinute);
    CHECK(home.beat(*chore).empty());
  }
}

TEST_CASE("A hook has no more time in a beat than all its deliveries, whatever its timeout is") {
  Home home;
  const auto receiver = home.temp.path() + "/receiver";
  write_receiver(receiver, "exec sleep 600");
  const auto chore = make_deliveries_chore([] {}, 50);
  home.start("web");
  home.config.sections["hooks"] =
      Json{{"slow", {{"types", {"deploy.*"}}, {"command", {receiver}}, {"timeout", "60s"}}}}.dump();
  CHECK(home.beat(*chore) == "begin:slow");
  home.pass(kMinute);
  home.emit("web", "deploy.done");
  home.emit("web", "deploy.again");
  home.pass(kMinute);
  CHECK(home.beat(*chore) == "send:slow");
  DeliveryLog log(home.workspace.home_path(), "slow");
  REQUIRE(log.read());
  // The second one was left for the next beat.
  REQUIRE(log.undelivered().size() == 1);
  const auto& error = log.undelivered().begin()->second.error;
  INFO(error);
  REQUIRE(error.starts_with("not done after "));
  CHECK(std::stoi(error.substr(std::string("not done after ").size())) <= 50);
}

TEST_CASE("A log that was cut, or holds other lines, is read as far as it makes sense") {
  Home home;
  DeliveryLog log(home.workspace.home_path(), "audit");
  CHECK_FALSE(log.read());
  log.begin(1000);
  log.begin(2000);
  REQUIRE(log.read());
  CHECK(log.since_ms() == 1000);
  const auto file = home.path("hooks/audit.log");
  write_text(file, read_text(file) + "d web 7\nnonsense\nf web\n\nd web 8\np web 9 3 no\nd we");
  log.add_delivered({"web", 10});
  REQUIRE(log.read());
  CHECK(log.knows({"web", 7}));
  CHECK(log.knows({"web", 8}));
  CHECK(log.knows({"web", 10}));
  CHECK_FALSE(log.knows({"web", 6}));
  CHECK(log.undelivered().at({"web", 9}).parked);
  log.advance("epoch", 5, {{"web", 8}});
  REQUIRE(log.read());
  CHECK(log.knows({"web", 6}));
  CHECK(log.knows({"web", 10}));
  CHECK_FALSE(log.knows({"web", 11}));
  CHECK(log.place("epoch") == 5);
  CHECK(log.place("another") == 0);
}

}  // namespace
}  // namespace reprise::test
