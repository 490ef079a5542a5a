// Memories of a home on a real disk, found through its index.
#include "engine/memory/indexed_memory.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine/memory/recall.h"
#include "engine/memory/upkeep.h"
#include "tests/engine/index/index_fixture.h"

using namespace reprise;
using namespace reprise::test;
using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

class RememberingHome : public IndexedHome {
 public:
  RememberingHome() : memory(temp.path() + "/cache", folder.world.random, REPRISE_TEST_SQLITE) {
    start("web");
  }

  void tell(const std::string& type, const Json& payload) {
    auto run = folder.run("web");
    auto open = open_run(run.dir(), folder.world.context, Read::kTail);
    Commit commit(open, commit_time(open, folder.world.clock));
    const auto record =
        Json{{"type", type}, {"digest", std::string(32, '0')}, {"payload", payload}};
    commit.add({RecordType::kEventEmitted, 1, 0, record.dump()});
    commit.write();
  }
  Json answer(const Json& args, std::vector<OwnEvent> own = {}) {
    return Json::parse(memory.answer({.run_path = runs_path + "/web",
                                      .args = args.dump(),
                                      .now_ms = kStartMs + 1000,
                                      .own = std::move(own)}));
  }
  std::string ids(const Json& args, std::vector<OwnEvent> own = {}) {
    std::string text;
    const auto whole = answer(args, std::move(own));
    for (const auto& found : whole["memories"]) {
      text += (text.empty() ? "" : " ") + found["id"].get<std::string>();
    }
    return text;
  }
  bool has(const char* name) const { return fs::exists(path(name)); }
  /// Asks for a recall, and for something that nobody does.
  void create_bot() {
    folder.world.context.memory = &memory;
    folder.create("bot", R"({"ask":[{"kind":"recall","args":{"query":"rains","bulletin":true}},)"
                         R"({"kind":"agent"}]})");
  }
  /// What pruning would forget so many days after the start.
  std::vector<std::string> faded(int64_t days) {
    auto all = index();
    return all.ask([&](Database& database) {
      const PruneRule rule{.below = 0.1, .min_age_ms = 30 * kDayMs};
      return list_faded(database, rule, kStartMs + days * kDayMs, 10);
    });
  }

  IndexedMemory memory;
};

OwnEvent own_save(uint64_t seq, const std::string& id, const std::string& note) {
  return {seq, "memory.saved", Json{{"memoryId", id}, {"note", note}}.dump()};
}

}  // namespace

TEST_CASE("A home that remembers nothing is asked without an index") {
  RememberingHome home;
  home.emit("web", "deploy.done");
  CHECK(home.answer({{"query", "rain"}}) == Json::parse(kNothingRecalled));
  CHECK_FALSE(home.has("memory.mark"));
  CHECK_FALSE(home.has("index.db"));
}

TEST_CASE("What was told is found, with the newest bulletin when it is wanted") {
  RememberingHome home;
  home.tell("memory.saved",
            {{"memoryId", "m1"}, {"note", "It rains in Hamburg"}, {"summary", "rain"}});
  CHECK(home.has("memory.mark"));
  home.tell("visor.bulletin.generated", {{"digest", "old"}});
  home.tell("visor.bulletin.generated", {{"digest", "new"}});
  const auto answer = home.answer({{"query", "hamburg"}, {"bulletin", true}});
  CHECK(answer["bulletin"] == "new");
  REQUIRE(answer["memories"].size() == 1);
  CHECK(answer["memories"][0]["id"] == "web/m1");
  CHECK(answer["memories"][0]["summary"] == "rain");
  CHECK(answer["memories"][0]["kind"] == "fact");
  CHECK(home.answer({{"query", "hamburg"}})["bulletin"].is_null());
  CHECK(home.ids({{"query", "hamburg"}, {"scopes", {{{"type", "channel"}, {"id", "web"}}}}}) == "");
}

TEST_CASE("A recall sees what its own commit saved, and leaves no trace of it") {
  RememberingHome home;
  const std::vector<OwnEvent> own = {own_save(90, "m9", "It rains here"),
                                     {91, "visor.bulletin.generated", R"({"digest":"own"})"}};
  CHECK(home.ids({{"query", "rains"}}, own) == "web/m9");  // without any index
  CHECK(home.answer({{"query", ""}, {"bulletin", true}}, own)["bulletin"] == "own");
  CHECK_FALSE(home.has("index.db"));
  home.tell("memory.saved", {{"memoryId", "m1"}, {"note", "It rains there"}});
  CHECK(home.ids({{"query", "rains"}}, own).size() == std::string("web/m1 web/m9").size());
  CHECK(home.ids({{"query", "rains"}}) == "web/m1");
  const std::vector<OwnEvent> gone = {{90, "memory.forgotten", R"({"memoryId":"m1"})"}};
  CHECK(home.ids({{"query", "rains"}}, gone) == "");
  CHECK(home.ids({{"query", "rains"}}) == "web/m1");
}

TEST_CASE("A scope without an id is the run's own, and so are ids that it tells") {
  RememberingHome home;
  const Json own = {{"type", "channel"}};
  home.tell("memory.saved", {{"memoryId", "m1"}, {"note", "It rains"}, {"scope", own}});
  home.tell("memory.saved", {{"memoryId", "m2"}, {"note", "It rains"}});
  CHECK(home.ids({{"query", "rains"}, {"scopes", Json::array({own})}}) == "web/m1");
  const auto global = Json::array({{{"type", "global"}}});
  CHECK(home.ids({{"query", "rains"}, {"scopes", global}}) == "web/m2");
}

TEST_CASE("Who reads all runs makes the mark again") {
  RememberingHome home;
  home.tell("memory.saved", {{"memoryId", "m1"}, {"note", "It rains"}});
  fs::remove(home.path("memory.mark"));
  CHECK(home.ids({{"query", "rains"}}) == "");
  home.ask();
  CHECK(home.has("memory.mark"));
  CHECK(home.ids({{"query", "rains"}}) == "web/m1");
}

TEST_CASE("An index that is lost or damaged is made anew with the same memories") {
  RememberingHome home;
  home.tell("memory.saved", {{"memoryId", "m1"}, {"note", "It rains"}});
  home.tell("memory.saved", {{"memoryId", "m2"}, {"note", "It rains more"}});
  home.tell("memory.linked", {{"from", "m2"}, {"to", "m1"}, {"relation", "supersedes"}});
  CHECK(home.ids({{"query", "rains"}}) == "web/m2");
  const auto before = home.answer({{"query", "rains"}});
  write_text(home.path("index.db"), "garbage");
  CHECK(home.answer({{"query", "rains"}}) == before);
  for (const char* name : {"index.db", "changes.log"}) fs::remove(home.path(name));
  CHECK(home.answer({{"query", "rains"}}) == before);
}

TEST_CASE("Runs that are gone take their memories along") {
  RememberingHome home;
  home.tell("memory.saved", {{"memoryId", "m1"}, {"note", "It rains"}});
  home.start("other");
  CHECK(home.ids({{"query", "rains"}}) == "web/m1");
  fs::remove_all(home.runs_path + "/web");
  CHECK(home.ids({{"query", "rains"}}) == "");
}

TEST_CASE("What a recall asks wrongly is an exception for whoever records it") {
  RememberingHome home;
  home.tell("memory.saved", {{"memoryId", "m1"}, {"note", "It rains"}});
  CHECK_THROWS_AS(home.answer({{"query", 7}}), std::exception);
  CHECK_THROWS_AS(home.answer({{"query", "a"}, {"scopes", {1}}}), std::exception);
  CHECK(home.ids({{"query", "rains AND (\""}, {"limit", 1'000'000}}) == "web/m1");
}

TEST_CASE("What a process recalls does not fade, and an index made anew says the same") {
  using Ids = std::vector<std::string>;
  RememberingHome home;
  home.tell("memory.saved", {{"memoryId", "m1"}, {"note", "It rains"}, {"importance", 0.2}});
  home.tell("memory.saved", {{"memoryId", "m2"}, {"note", "Cows moo"}, {"importance", 0.2}});
  home.folder.world.clock.advance(29 * kDayMs);
  home.create_bot();
  for (int i = 0; i < 3; ++i) home.ask();
  const auto before = home.ask();
  const auto journal = read_text(home.journal("bot"));
  const auto witness = read_text(home.runs_path + "/bot/state/head");
  const auto head = home.folder.run("bot").state().head.seq;
  home.folder.iterate("bot");
  CHECK(read_text(home.journal("bot")).find(R"("recalled":["web/m1"])") != std::string::npos);
  const auto after = home.ask();
  CHECK(after == home.fresh());
  CHECK(home.last.runs_read == 1);  // behind what was known of it
  CHECK(home.faded(31) == Ids{"web/m2"});
  CHECK(home.faded(58) == Ids{"web/m2"});
  CHECK(home.faded(59) == Ids{"web/m2", "web/m1"});
  fs::remove(home.path("index.db"));
  CHECK(home.ask() == after);
  // A commit that was cut off is no access, and neither is that of a run that is gone.
  write_text(home.journal("bot"), journal);
  write_text(home.runs_path + "/bot/state/head", witness);
  ChangeLog().touch(home.runs_path + "/bot", head);
  CHECK(home.ask() == before);
  CHECK(home.faded(31) == Ids{"web/m1", "web/m2"});
  home.folder.iterate("bot");
  CHECK(home.faded(31) == Ids{"web/m2"});
  fs::remove_all(home.runs_path + "/bot");
  CHECK(home.ask() == home.fresh());
  CHECK(home.faded(31) == Ids{"web/m1", "web/m2"});
}

TEST_CASE("A recall without a result is no access, and one whose answer is a blob is") {
  RememberingHome home;
  const std::string tail(40'000, 'x');
  home.tell("memory.saved", {{"memoryId", "m1"}, {"note", "It snows"}, {"importance", 0.2}});
  home.folder.world.clock.advance(29 * kDayMs);
  SECTION("nothing was found") {
    home.create_bot();
    home.folder.iterate("bot");
    CHECK(read_text(home.journal("bot")).find("recalled") == std::string::npos);
    CHECK(home.faded(31) == std::vector<std::string>{"web/m1"});
  }
  SECTION("a long answer") {
    for (const char* id : {"m2", "m3"}) {
      home.tell("memory.saved", {{"memoryId", id}, {"note", "It rains " + tail}});
    }
    home.folder.world.clock.advance(kDayMs);
    home.create_bot();
    home.folder.iterate("bot");
    const auto journal = read_text(home.journal("bot"));
    CHECK(journal.find("valueRef") != std::string::npos);
    CHECK(journal.find(R"("recalled":["web/m2","web/m3"])") != std::string::npos);
    CHECK(home.ask() == home.fresh());
  }
}
