// Beats of a home with real runs.
#include "engine/heartbeat/home_runs.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "engine/claim.h"
#include "engine/run.h"
#include "journal/run_dir.h"
#include "tests/engine/heartbeat/beat_home.h"

namespace reprise::test {
namespace {

const std::string kAgent = R"({"ask":[{"kind":"agent"}]})";
const std::string kParent = R"({"ask":[)" + ask("builtin:family", kAgent) + "]}";

TEST_CASE("A family is taken from its first child to its end by beats and posts alone") {
  BeatingHome home;
  home.folder.create("parent", kParent);
  home.folder.run("parent").iterate();
  CHECK(runs_of(home.beat()) == "parent x1 waiting, parent.t1 x1 waiting");
  CHECK(home.beat().quiet());
  home.post("parent.t1", "t1");
  CHECK(runs_of(home.beat()) == "parent.t1 x1 completed, parent x1 completed");
  CHECK(home.beat().quiet());
}

TEST_CASE("A signal that was not delivered is, and the run that got it goes on") {
  BeatingHome home;
  home.folder.create("other", kAgent);
  home.folder.iterate("other");
  home.folder.create("sender", R"({"ask":[{"kind":"run.signal","args":{"run":"other",)"
                               R"("name":"note","value":1}}]})");
  home.folder.run("sender").iterate();
  const auto done = home.beat();
  CHECK(runs_of(done) == "sender x2 completed, other x1 waiting");
  CHECK(home.folder.run("other").types().find("SIGNAL_RECEIVED") != std::string::npos);
  CHECK(home.beat().quiet());
}

TEST_CASE("A claim whose time is over is taken back") {
  BeatingHome home;
  home.folder.create("r", kAgent);
  home.folder.iterate("r");
  ClaimRequest claim;
  claim.worker = "w";
  claim.lease_ms = 60'000;
  claim_effect(home.folder.run("r").dir(), home.folder.world.context, claim);
  CHECK(home.beat().quiet());
  home.folder.world.clock.advance(60'000);
  CHECK(runs_of(home.beat()) == "r x1 waiting");
  CHECK_FALSE(home.folder.run("r").state().open.at(1).claim);
  CHECK(home.beat().quiet());
}

TEST_CASE("A run that somebody else writes is not waited for") {
  BeatingHome home;
  home.start("held");
  home.post("held", "t1");
  home.start("free");
  home.post("free", "t1");
  const auto lock = lock_run(home.folder.run("held").dir(), 0, "somebody");
  const auto done = home.beat();
  CHECK(runs_of(done) == "free x1 waiting");
  CHECK(done.locked == std::vector<std::string>{"held"});
  CHECK(done.errors.empty());
}

TEST_CASE("A damaged run does not stop the others, and is no matter of a beat") {
  BeatingHome home;
  for (const std::string id : {"a", "b", "c"}) {
    home.start(id);
    home.post(id, "t1");
  }
  auto text = read_text(home.journal("b"));
  text[text.find("EFFECT_RESOLVED")] = 'X';
  write_text(home.journal("b"), text);
  const auto done = home.beat();
  CHECK(runs_of(done) == "a x1 waiting, c x1 waiting");
}

TEST_CASE("A clock that steps back does no harm") {
  BeatingHome home;
  home.start("r");
  home.post("r", "t1");
  home.folder.world.clock.advance(-3'600'000);
  const auto done = home.beat();
  CHECK(home.folder.run("r").status() == "ready");  // nothing is written before the last record
  CHECK(done.errors.size() == 1);
  home.folder.world.clock.advance(3'600'000);
  CHECK(runs_of(home.beat()) == "r x1 waiting");
}

TEST_CASE("An index that is damaged or gone between two beats changes nothing") {
  BeatingHome home;
  home.folder.create("parent", kParent);
  home.folder.run("parent").iterate();
  home.start("r");
  home.post("r", "t1");
  const auto path = home.path("index.db");
  home.beat({}, {.max_runs = 1, .over = {}});
  auto text = read_text(path);
  for (size_t i = 0; i < text.size(); i += 7) text[i] = '?';
  write_text(path, text);
  home.beat({}, {.max_runs = 1, .over = {}});
  std::filesystem::remove(path);
  home.beat();
  CHECK(home.folder.run("r").status() == "waiting");
  CHECK(home.folder.run("parent.t1").status() == "waiting");
  CHECK(home.beat().quiet());
  CHECK(home.ask() == home.fresh());
}

}  // namespace
}  // namespace reprise::test
