// The visor over real channels, runs and an index: what it gathers, what it makes of it, and that
// an idle home does not grow.
#include "engine/heartbeat/visor_chore.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine/ask.h"
#include "engine/claim.h"
#include "engine/family.h"
#include "engine/home_run.h"
#include "engine/memory/indexed_memory.h"
#include "engine/memory/recall.h"
#include "processes/channel/channel.h"
#include "processes/memory/memory.h"
#include "processes/visor/visor.h"
#include "tests/engine/index/index_fixture.h"

using namespace reprise;
using namespace reprise::test;
using Json = nlohmann::json;

namespace {

constexpr int64_t kDaySeconds = 86'400;

class WatchedHome {
 public:
  WatchedHome()
      : x_workspace(HomeQuery{.runs_dir = {},
                              .home = x_home.path(""),
                              .environment_home = {},
                              .working_dir = "/",
                              .user_home = "/"},
                    false) {
    world().context.built_ins = x_built_ins;
    world().context.memory = &x_memory;
    config = load_config({.user_file = {},
                          .home_file = {},
                          .environment = [](const std::string&) { return std::nullopt; },
                          .variables = {},
                          .set = {}});
  }

  World& world() { return x_home.folder.world; }
  RunFolder folder() {
    return {*world().runs, x_home.runs_path,
            [](const std::string&) -> std::optional<std::string> { return {}; }};
  }

  /// A heartbeat of this chore alone: what was due.
  std::string beat() {
    auto index = x_home.index();
    BeatHome home{x_workspace, world().context,        index, asked,
                  config,      world().clock.now_ms(), false, last_beat_ms};
    const auto chore = make_visor_chore();
    std::string what;
    for (const auto& due : chore->due(home)) {
      what += due.what;
      chore->perform(home, due);
    }
    return what;
  }
  std::string beat_after(int64_t seconds) {
    world().clock.advance(seconds * 1000);
    return beat();
  }
  Json report() {
    auto index = x_home.index();
    BeatHome home{x_workspace, world().context,        index, asked,
                  config,      world().clock.now_ms(), false};
    return Json::parse(visor_report(home));
  }

  void create(const std::string& id, const std::string& process) {
    CreateRequest request;
    request.run_id = id;
    request.process.built_in = process;
    request.inputs = parse_value("{}", "inputs");
    create_run(world().runs.get(), x_home.runs_path, world().context, folder().read, request);
    iterate(id);
  }
  void iterate(const std::string& id) {
    iterate_among(folder(), id, *world().runs->open_dir(id), world().context);
  }
  void signal(const std::string& id, const std::string& name, const Json& value) {
    const Signal signal{.name = name, .value = parse_value(value.dump(), "value"), .key = {}};
    tell_among(folder(), id, *world().runs->open_dir(id), world().context, {signal},
               After::kIterate, {});
  }
  void say(const std::string& id, const std::string& msg_id) {
    signal(id, "channel.message",
           {{"msgId", msg_id},
            {"author", {{"id", "ann"}}},
            {"content", "hello"},
            {"flags", {{"dm", true}}}});
  }
  void claim(const std::string& id, const std::string& kind) {
    claim_effect(
        *world().runs->open_dir(id), world().context,
        {.effect = {}, .kind = kind, .worker = "bot", .token = {}, .lease_ms = 36'000'000});
  }
  Json ask(const std::string& id, const Json& question) {
    return Json::parse(reprise::ask(*world().runs->open_dir(id), world().context, question.dump()));
  }
  std::vector<std::string> events(const std::string& type) {
    return x_home.index().ask([&](Database& database) {
      std::vector<std::string> runs;
      for (const auto& row :
           list_events(database, {.types = {type}, .run = {}, .since_ms = {}}).rows) {
        runs.push_back(row.run);
      }
      return runs;
    });
  }
  template <typename Question>
  auto index(const Question& question) {
    return x_home.index().ask(question);
  }
  std::string journal(const std::string& id) const { return read_text(x_home.journal(id)); }
  void drop_index() {
    std::filesystem::remove(x_home.path("index.db"));
    std::filesystem::remove(x_home.path("changes.log"));
  }
  size_t commits(const std::string& id) {
    return TestRun(world(), world().runs->open_dir(id)).commits();
  }

  Config config;
  AskedRuns asked;
  std::optional<int64_t> last_beat_ms;  ///< that the next beat is told of

 private:
  const std::vector<BuiltIn> x_built_ins = {channel_process(), memory_process(), visor_process()};
  IndexedHome x_home;
  IndexedMemory x_memory{x_home.place().cache_folder, x_home.folder.world.random,
                         REPRISE_TEST_SQLITE};
  Workspace x_workspace;
};

void set(Config& config, const std::string& key, const Json& value) {
  auto section = Json::parse(config.sections["visor"]);
  section[key] = value;
  config.sections["visor"] = section.dump();
}

}  // namespace

TEST_CASE("The first beat of a home makes a bulletin; an idle home does not grow") {
  WatchedHome home;
  CHECK(home.beat() == "a bulletin");
  const auto commits = home.commits("visor");
  for (int i = 0; i < 100; ++i) CHECK(home.beat_after(60).empty());
  CHECK(home.commits("visor") == commits);
  CHECK(home.beat().empty());
}

TEST_CASE("Without a bootstrap a home in which nothing happens has no visor") {
  WatchedHome home;
  set(home.config, "bootstrapBulletin", false);
  CHECK(home.beat().empty());
  CHECK_FALSE(home.world().runs->stat("visor"));
  home.create("web", "channel");
  CHECK(home.beat_after(60) == "a bulletin");
}

TEST_CASE("A worker that hangs is cancelled, others are not") {
  WatchedHome home;
  home.create("web", "channel");
  home.beat();
  home.signal("web", "worker.spawn", {{"objective", "build"}});
  home.claim("web", "worker");
  home.world().clock.advance(500'000);
  home.signal("web", "worker.spawn", {{"objective", "test"}});  // nobody works on it
  CHECK(home.report()["facts"]["workers"].size() == 1);
  CHECK(home.beat() == "a bulletin");
  CHECK(home.beat_after(120) == "a worker takes too long, cancel web/w1");
  home.iterate("web");
  CHECK(home.ask("web", {{"ask", "worker"}, {"id", "w1"}})["error"] ==
        "Worker timed out after 620 s");
  CHECK(home.ask("web", {{"ask", "worker"}, {"id", "w2"}})["state"] == "queued");
  CHECK(home.beat_after(60) == "a bulletin");
  CHECK(home.beat_after(60).empty());
  CHECK(home.events("visor.worker.timeout").size() == 1);
}

TEST_CASE("A branch that does not end is brought to its end") {
  WatchedHome home;
  home.create("web", "channel");
  home.signal("web", "branch.spawn", {{"prompt", "why?"}});
  home.beat();
  CHECK(home.beat_after(60) == "bring to its end web/b1");
  home.iterate("web");
  CHECK(home.ask("web", {{"ask", "branch"}, {"id", "b1"}})["state"] == "timed_out");
  CHECK(home.events("visor.branch.timeout") == std::vector<std::string>{"web"});
}

TEST_CASE("Three failures make a channel degraded, and the index may be lost meanwhile") {
  WatchedHome home;
  home.create("web", "channel");
  for (const auto* id : {"w1", "w2", "w3"}) {
    home.signal("web", "worker.spawn", {{"objective", "build"}});
    home.signal("web", "worker.cancel", {{"workerId", id}});
  }
  CHECK(home.beat() == "a channel is degraded, a bulletin");
  home.drop_index();
  CHECK(home.beat_after(60).empty());
  CHECK(home.beat_after(600).empty());
}

TEST_CASE("Silence is told once, and again only after somebody spoke") {
  WatchedHome home;
  home.create("web", "channel");
  home.say("web", "m1");
  home.beat();
  CHECK(home.beat_after(1800) == "nobody speaks");
  for (int i = 0; i < 50; ++i) CHECK(home.beat_after(60).empty());
  home.say("web", "m2");
  CHECK(home.beat_after(1790).empty());
  CHECK(home.beat_after(60) == "nobody speaks");
}

TEST_CASE("What nobody needs for long is forgotten; identities stay") {
  WatchedHome home;
  home.create("memory", "memory");
  home.beat();
  home.signal("memory", "memory.save", {{"note", "of no use"}, {"importance", 0.2}});
  home.signal("memory", "memory.save",
              {{"note", "who I am"}, {"kind", "identity"}, {"importance", 0.1}});
  home.signal("memory", "memory.save", {{"note", "dear to me"}, {"importance", 1}});
  CHECK(home.beat_after(29 * kDaySeconds).empty());
  CHECK(home.beat_after(2 * kDaySeconds) == "memories looked through");
  const auto live = home.index([&](Database& database) {
    std::string notes;
    const auto page = list_memories(database, {.now_ms = home.world().clock.now_ms()}, {}, 100);
    for (const auto& memory : page->rows) notes += memory.note + "; ";
    return notes;
  });
  CHECK(live.find("of no use") == std::string::npos);
  CHECK(live.find("who I am") != std::string::npos);
  CHECK(live.find("dear to me") != std::string::npos);
  CHECK(home.beat_after(3600).empty());
}

TEST_CASE("Where a beat was in the same hour nobody looks through all memories again") {
  WatchedHome home;
  home.create("memory", "memory");
  home.beat();
  home.signal("memory", "memory.save", {{"note", "of no use"}, {"importance", 0.2}});
  home.world().clock.advance((31 * kDaySeconds + 600) * 1000);
  home.last_beat_ms = home.world().clock.now_ms() - 300'000;
  CHECK(home.beat().empty());
  home.last_beat_ms = home.world().clock.now_ms() - 900'000;
  CHECK(home.beat() == "memories looked through");
}

TEST_CASE("Memories that say the same become one, when that is wanted") {
  WatchedHome home;
  home.create("memory", "memory");
  const std::string notes[] = {"Anna prefers short answers", "Anna prefers short answers!",
                               "Deploys happen on Friday evening", "The office is in Graz",
                               "Rain is expected tomorrow"};
  for (const auto& note : notes) home.signal("memory", "memory.save", {{"note", note}});
  home.beat();
  CHECK(home.beat_after(2 * kDaySeconds).empty());
  set(home.config, "mergeEnabled", true);
  CHECK(home.beat_after(3600) == "memories looked through, memories merged");
  const auto found = home.index([&](Database& database) {
    // A bulletin holds the words, too; what else it names is no answer for that.
    const MemoryFilter filter{
        .scopes = {}, .kinds = {}, .classes = {"semantic"}, .now_ms = home.world().clock.now_ms()};
    return recall(database, "anna", filter, 8);
  });
  REQUIRE(found.size() == 1);
  CHECK(found[0].memory.id == "visor/merge1");
  CHECK(found[0].memory.note == "Anna prefers short answers | Anna prefers short answers!");
  // They were looked at; there is nothing more to do.
  for (int i = 0; i < 5; ++i) CHECK(home.beat_after(3600).empty());
}

TEST_CASE("Prompts carry the newest bulletin, and it names what the home remembers") {
  WatchedHome home;
  home.create("memory", "memory");
  home.signal("memory", "memory.save", {{"note", "We decided to deploy on Fridays"}});
  home.create("web", "channel");
  home.beat();
  home.say("web", "m1");
  const auto effect = home.ask("web", {{"ask", "channel"}})["effects"][0];
  CHECK(effect["key"] == "reply:r1");
  const auto told = home.journal("web");
  const auto asked = told.find("\"prompt\"");
  REQUIRE(asked != std::string::npos);
  CHECK(told.find("Decisions: We decided to deploy on Fridays", asked) != std::string::npos);
}

TEST_CASE("A visor that was cancelled is left alone") {
  WatchedHome home;
  home.beat();
  cancel_run(*home.world().runs->open_dir("visor"), home.world().context, "enough", false);
  home.iterate("visor");
  home.create("web", "channel");
  CHECK(home.beat_after(60).empty());
}
