#include "processes/visor/bulletin.h"

#include <catch2/catch.hpp>

#include "tests/processes/visor/harness.h"

using namespace reprise;
using namespace reprise::visor;

namespace {

Json named(const char* section, const char* id, const std::string& note) {
  return {{"section", section}, {"id", id}, {"note", note}};
}

}  // namespace

TEST_CASE("The first bulletin is made although nothing happens, unless that is not wanted") {
  TestVisor quiet;
  CHECK(quiet.tick().empty());
  TestVisor visor;
  visor.facts["settings"]["bootstrapBulletin"] = true;
  CHECK(visor.foresee()["bulletin"] == true);
  visor.facts["memories"] = {named("Decisions", "memory/m5", "We deploy on Fridays"),
                             named("Decisions", "web/b1.conclusion", "Nothing\nbut tests"),
                             named("Goals", "memory/m7", "Ship")};
  const auto told = visor.tick();
  REQUIRE(told[0].type == "visor.bulletin.generated");
  CHECK(told[0].payload["bulletinId"] == "b1");
  CHECK(told[0].payload["headline"] ==
        "Runtime bulletin: 0 active channels, 0 workers in progress");
  CHECK(told[0].payload["digest"] ==
        "Active channels: 0 | Workers in progress: 0 / 0 total\n"
        "Decisions: We deploy on Fridays; Nothing but tests\nGoals: Ship");
  CHECK(told[0].payload["memoryRefs"] == Json{"memory/m5", "web/b1.conclusion", "memory/m7"});
  CHECK(told[0].payload["by"] == "visor");
  CHECK(told[0].payload["words"] == 21);
  REQUIRE(told[1].type == "memory.saved");
  CHECK(told[1].payload["kind"] == "event");
  CHECK(told[1].payload["class"] == "bulletin");
  CHECK(told[1].payload["memoryId"] == "b1");
  REQUIRE(told.size() == 5);
  CHECK(told[4].payload["to"] == "memory/m7");
  CHECK(told[4].payload["relation"] == "about");
}

TEST_CASE("The same state has the bulletin that it had; another one takes its place") {
  TestVisor visor;
  visor.facts["settings"]["bootstrapBulletin"] = true;
  visor.tick();
  for (int i = 0; i < 50; ++i) CHECK(visor.tick_after(30).empty());
  visor.facts["memories"] = {named("Recent", "memory/m9", "what is remembered does not count")};
  CHECK(visor.tick_after(30).empty());
  visor.facts["counts"]["allWorkers"] = 1;
  const auto told = visor.tick_after(30);
  CHECK(types_of(told) == "visor.bulletin.generated");
  CHECK(told.back().payload == Json{{"from", "b2"},
                                    {"to", "b1"},
                                    {"relation", "supersedes"},
                                    {"weight", 1.0},
                                    {"provenance", "visor.bulletin"}});
  CHECK(visor.status()["bulletin"]["bulletinId"] == "b2");
}

TEST_CASE("The open cards of the board are listed, and one that moves makes a new bulletin") {
  TestVisor visor;
  const auto card = [](const char* project, const char* id, const char* title, const char* status) {
    return Json{{"project", project}, {"cardId", id}, {"title", title}, {"status", status}};
  };
  visor.facts["cards"] = {card("Docs", "c2", "Write\nit", "ready"),
                          card("Docs", "c1", "Read it", "in_progress"),
                          card("Web", "c3", "Ship", "blocked")};
  visor.facts["memories"] = {named("Goals", "memory/m7", "Ship")};
  auto told = visor.tick();
  REQUIRE(types_of(told) == "visor.bulletin.generated");
  CHECK(told[0].payload["digest"] ==
        "Active channels: 0 | Workers in progress: 0 / 0 total\n"
        "Active tasks: Project Docs: [c2] Write it (ready), [c1] Read it (in_progress); "
        "Project Web: [c3] Ship (blocked)\nGoals: Ship");
  CHECK(visor.tick_after(30).empty());
  visor.facts["cards"][2]["status"] = "ready";
  told = visor.tick_after(30);
  REQUIRE(types_of(told) == "visor.bulletin.generated");
  CHECK(told[0].payload["digest"].get<std::string>().find("[c3] Ship (ready)") !=
        std::string::npos);
  visor.facts["cards"].erase(2);
  visor.facts["settings"]["bulletinMaxWords"] = 12;
  told = visor.tick_after(30);
  REQUIRE(types_of(told) == "visor.bulletin.generated");
  CHECK(told[0].payload["words"] == 12);
  visor.facts["cards"] = Json::array();
  CHECK(types_of(visor.tick_after(30)) == "visor.bulletin.generated");
  CHECK(visor.tick_after(30).empty());
}

TEST_CASE("An executor writes the text, one at a time, and the limit of words holds for it, too") {
  TestVisor visor;
  visor.facts["settings"]["bootstrapBulletin"] = true;
  visor.facts["settings"]["bulletinExecutor"] = true;
  visor.facts["settings"]["bulletinMaxWords"] = 4;
  CHECK(types_of(visor.tick()) == "visor.bulletin.requested");
  REQUIRE(visor.requests("bulletin:b1").size() == 1);
  CHECK(visor.requests("bulletin:b1")[0]["maxWords"] == 4);
  visor.facts["counts"]["channels"] = 2;
  CHECK(visor.tick_after(30).empty());
  const auto told = visor.resolve("bulletin:b1", {{"text", "one two  three\nfour five six"}});
  REQUIRE(types_of(told) == "visor.bulletin.generated");
  CHECK(told[0].payload["digest"] == "one two  three\nfour…");
  CHECK(told[0].payload["by"] == "executor");
  // The state has changed meanwhile.
  CHECK(types_of(visor.tick_after(30)) == "visor.bulletin.requested");
  const auto plain = visor.resolve("bulletin:b2", "plain text");
  CHECK(plain[0].payload["digest"] == "plain text");
}

TEST_CASE("Where nobody writes it, the numbers alone are the bulletin") {
  TestVisor visor;
  visor.facts["settings"]["bootstrapBulletin"] = true;
  visor.facts["settings"]["bulletinExecutor"] = true;
  visor.tick();
  const auto told = visor.fail("bulletin:b1", {{"name", "Timeout"}, {"message", "too late"}});
  REQUIRE(types_of(told) == "visor.bulletin.generated");
  CHECK(told[0].payload["by"] == "visor");
  CHECK(told[0].payload["error"] == "too late");
  CHECK(told[0].payload["digest"] == "Active channels: 0 | Workers in progress: 0 / 0 total");
  visor.facts["counts"]["channels"] = 1;
  visor.tick_after(30);
  const auto empty = visor.resolve("bulletin:b2", {{"text", "  "}});
  CHECK(empty[0].payload["error"] == "the executor returned no text");
}

TEST_CASE("A text is cut at a word, and one without words at a character") {
  CHECK(cut_to_words("a b c", 3) == "a b c");
  CHECK(cut_to_words("  a b c ", 2) == "a b…");
  CHECK(cut_to_words("", 2).empty());
  CHECK(count_words("") == 0);
  CHECK(count_words("  a  b\nc ") == 3);
  std::string long_word;
  for (int i = 0; i < 100; ++i) long_word += "雨";
  const auto cut = cut_to_words(long_word, 2);
  CHECK(cut.size() == 24 * 3 + 3);
  for (int64_t most = 1; most < 40; ++most) {
    CHECK(count_words(cut_to_words("x yy zzz x yy zzz x yy zzz x yy zzz", most)) <= most);
  }
}
