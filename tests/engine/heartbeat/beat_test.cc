// The order and the bounds of a beat, with chores and runs that a test says.
#include "engine/heartbeat/beat.h"

#include <catch2/catch.hpp>
#include <deque>
#include <map>
#include <stdexcept>

#include "journal/error.h"
#include "tests/engine/heartbeat/beat_home.h"

namespace reprise::test {
namespace {

/// What happened, in order.
using Story = std::string;

class FakeChore final : public Chore {
 public:
  FakeChore(Story& story, std::string name) : x_story(story), x_name(std::move(name)) {}
  std::string_view name() const override { return x_name; }
  bool is_slow() const override { return slow; }
  std::vector<Due> due(BeatHome&) override {
    if (fails) throw Error(Exit::kCorrupt, "BROKEN", "it is broken");
    if (is_odd) throw std::invalid_argument("no JSON");
    return list;
  }
  void perform(BeatHome&, const Due& due) override {
    x_story += x_name + "/" + due.key + " ";
    if (due.key == "bad") throw Error(Exit::kConflict, "BAD", "it is bad");
    if (due.key == "locked") throw Error(Exit::kLocked, "LOCKED", "held");
  }
  std::vector<Due> list;
  bool fails = false;
  bool slow = false;
  bool is_odd = false;  ///< throws what no chore should

 private:
  Story& x_story;
  std::string x_name;
};

class FakeRuns final : public BeatRuns {
 public:
  explicit FakeRuns(Story& story) : x_story(story) {}
  std::vector<DueRun> due(uint64_t limit) override {
    std::vector<DueRun> runs;
    for (const auto& [name, times] : left) {
      if (times > 0 && runs.size() < limit) runs.push_back({name, DueRun::Why::kReady, 0});
    }
    return runs;
  }
  TakenOn take_on(const DueRun& run) override {
    x_story += run.name + " ";
    if (run.name.starts_with("bad")) throw Error(Exit::kDiverged, "DIVERGED", "no");
    if (run.name.starts_with("odd")) throw std::out_of_range("beyond the steps");
    if (run.name.starts_with("held")) throw Error(Exit::kLocked, "LOCKED", "held");
    if (run.name.starts_with("idle")) return {};
    --left[run.name];
    return {.changed = true, .status = "waiting", .notes = {}};
  }
  std::map<std::string, int> left;  ///< so often each has something to do

 private:
  Story& x_story;
};

class FakeDrivers final : public BeatDrivers {
 public:
  explicit FakeDrivers(FakeRuns& runs) : x_runs(runs) {}
  void begin(BeatHome&) override {
    for (; !waiting.empty(); waiting.pop_front()) driven.push_back(waiting.front());
  }
  std::vector<std::string> runs() const override { return driven; }
  std::vector<DriveResult> collect(std::vector<BeatError>&) override {
    std::vector<DriveResult> results;
    for (; !ending.empty(); ending.pop_front()) {
      std::erase(driven, ending.front());
      x_runs.left["after-" + ending.front()] = 1;
      results.push_back({ending.front(), "waiting", 1});
    }
    return results;
  }
  std::deque<std::string> waiting;
  std::deque<std::string> ending;
  std::vector<std::string> driven;

 private:
  FakeRuns& x_runs;
};

/// A beat on what a test puts here.
struct Stage {
  Stage() { x_chores.push_back(std::make_unique<FakeChore>(story, "chore")); }
  FakeChore& chore() { return static_cast<FakeChore&>(*x_chores.front()); }
  BeatDone beat(const BeatBounds& bounds = {}, BeatDrivers* drivers = nullptr) {
    Beat one(bounds);
    go(one, drivers);
    return one.done();
  }
  void go(Beat& beat, BeatDrivers* drivers = nullptr) {
    auto index = x_files.index();
    BeatHome home{x_files.workspace, x_files.folder.world.context, index, asked, x_files.config};
    beat.go({home, x_chores, runs, drivers});
  }

  Story story;
  FakeRuns runs{story};
  AskedRuns asked;

 private:
  BeatingHome x_files;
  std::vector<std::unique_ptr<Chore>> x_chores;
};

TEST_CASE("Chores come first, then runs, round after round until nothing is due") {
  Stage stage;
  stage.chore().list = {{"k1", "one", "r"}, {"k2", "two", ""}};
  stage.runs.left = {{"a", 2}, {"b", 1}};
  const auto done = stage.beat();
  CHECK(stage.story == "chore/k1 chore/k2 a b a ");
  CHECK(runs_of(done) == "a x2 waiting, b x1 waiting");
  CHECK(done.chores.size() == 2);
  CHECK_FALSE(done.more);
  CHECK_FALSE(done.quiet());
}

TEST_CASE("A slow chore is done when nothing else is due") {
  Stage stage;
  stage.chore().slow = true;
  stage.chore().list = {{"k", "one", ""}};
  stage.runs.left = {{"a", 2}};
  stage.beat();
  CHECK(stage.story == "a a chore/k ");
}

TEST_CASE("A beat with nothing due is quiet") {
  Stage stage;
  CHECK(stage.beat().quiet());
  CHECK(stage.story.empty());
}

TEST_CASE("What fails, is locked or has nothing to do is left alone, and the others go on") {
  Stage stage;
  stage.chore().list = {{"bad", "", ""}, {"locked", "", "board"}, {"good", "", ""}};
  stage.runs.left = {{"bad", 1}, {"held", 1}, {"idle", 1}, {"ok", 2}};
  const auto done = stage.beat();
  CHECK(stage.story == "chore/bad chore/locked chore/good bad held idle ok ok ");
  CHECK(runs_of(done) == "ok x2 waiting");
  REQUIRE(done.errors.size() == 2);
  CHECK(done.errors[0].part + done.errors[0].name + done.errors[0].code == "chorebadBAD");
  CHECK(done.errors[1].part + done.errors[1].name + done.errors[1].code == "runbadDIVERGED");
  CHECK(done.locked == std::vector<std::string>{"board", "held"});
}

TEST_CASE("A chore that cannot say what is due is asked once, and the runs go on") {
  Stage stage;
  stage.chore().fails = true;
  stage.runs.left = {{"a", 1}};
  const auto done = stage.beat();
  CHECK(done.errors.size() == 1);
  CHECK(runs_of(done) == "a x1 waiting");
}

TEST_CASE("What nobody meant to be thrown is told as a bug, and stops nothing") {
  Stage stage;
  stage.chore().is_odd = true;
  stage.runs.left = {{"a", 1}, {"odd", 1}, {"z", 1}};
  const auto done = stage.beat();
  CHECK(runs_of(done) == "a x1 waiting, z x1 waiting");
  REQUIRE(done.errors.size() == 2);
  CHECK(done.errors[0].part + done.errors[0].code == "choreBUG");
  CHECK(done.errors[1].part + done.errors[1].name + done.errors[1].code == "runoddBUG");
}

TEST_CASE("A beat ends at its bounds, and says that more is due") {
  Stage stage;
  stage.chore().list = {{"k1", "", ""}};
  stage.runs.left = {{"a", 1000}, {"b", 1000}};
  const auto done = stage.beat({.max_runs = 4, .over = {}});
  CHECK(stage.story == "chore/k1 a b a ");
  CHECK(done.more);

  int left = 3;
  stage.story.clear();
  const auto later = stage.beat({.max_runs = 1000, .over = [&left] { return left-- <= 0; }});
  CHECK(stage.story == "chore/k1 a b ");
  CHECK(later.more);
}

TEST_CASE("Very many failing runs do not keep the others from going on") {
  Stage stage;
  for (int i = 0; i < 1200; ++i) stage.runs.left["bad" + std::to_string(i)] = 1;
  stage.runs.left["zebra"] = 1;
  const auto done = stage.beat();
  CHECK(runs_of(done) == "zebra x1 waiting");
  CHECK(done.errors.size() == 1200);
}

TEST_CASE("What fails in a beat is not tried again when the beat goes on") {
  Stage stage;
  stage.chore().list = {{"bad", "", ""}, {"k1", "", ""}};
  stage.runs.left = {{"bad", 1}, {"a", 1}};
  Beat beat(BeatBounds{});
  stage.go(beat);
  stage.runs.left["a"] = 1;
  stage.go(beat);
  CHECK(stage.story == "chore/bad chore/k1 a bad a ");
  CHECK(beat.done().errors.size() == 2);
  CHECK(runs_of(beat.done()) == "a x2 waiting");
}

TEST_CASE("What is driven goes on behind the beat, and what it brings is taken on") {
  Stage stage;
  FakeDrivers drivers(stage.runs);
  drivers.waiting = {"x", "y"};
  Beat beat(BeatBounds{});
  stage.go(beat, &drivers);
  CHECK(beat.done().driving == std::vector<std::string>{"x", "y"});
  drivers.ending = {"x"};
  stage.go(beat, &drivers);
  CHECK(beat.done().driving == std::vector<std::string>{"y"});
  REQUIRE(beat.done().driven.size() == 1);
  CHECK(beat.done().driven[0].run == "x");
  CHECK(runs_of(beat.done()) == "after-x x1 waiting");
}

TEST_CASE("A beat whose time is over begins to drive nothing") {
  Stage stage;
  FakeDrivers drivers(stage.runs);
  drivers.waiting = {"x"};
  stage.beat({.max_runs = 9, .over = [] { return true; }}, &drivers);
  CHECK(drivers.waiting.size() == 1);
}

}  // namespace
}  // namespace reprise::test
