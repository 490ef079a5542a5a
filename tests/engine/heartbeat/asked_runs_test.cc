// What a beat was told by a run is told again without reading, until somebody writes the run.
#include "engine/heartbeat/asked_runs.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/engine/heartbeat/beat_home.h"
#include "tests/engine/heartbeat/habit.h"

namespace reprise::test {
namespace {

const HomeRun kWanted = {.name = "r", .process = "habit"};

class Asking : public BeatingHome {
 public:
  Asking() : BeatingHome({habit()}) {}

  void create() {
    CreateRequest request;
    request.run_id = kWanted.name;
    request.process.built_in = kWanted.process;
    request.inputs = parse_value(R"({"everyMs":1000,"times":9})", "inputs");
    request.simulated = simulated;
    create_run(folder.world.runs.get(), runs_path, folder.world.context, folder.folder().read,
               request);
  }
  /// The process that answers, and the number of the last record that it knows; null, 0: nobody.
  std::pair<const Machine*, uint64_t> look(const HomeRun& wanted = kWanted) {
    std::pair<const Machine*, uint64_t> seen;
    auto all = index();
    BeatHome home{workspace, folder.world.context,        all,      asked,
                  config,    folder.world.clock.now_ms(), simulated};
    asked.ask(home, wanted, [&](const Machine& machine, const RunState& state) {
      seen = {&machine, state.head.seq};
    });
    return seen;
  }
};

TEST_CASE("A run is read again when it was written, and only then") {
  Asking home;
  CHECK(home.look().first == nullptr);
  home.create();
  const auto created = home.look();
  REQUIRE(created.first != nullptr);
  CHECK(home.look() == created);
  home.folder.run("r").iterate();
  const auto begun = home.look();
  CHECK(begun.second == home.folder.run("r").state().head.seq);
  CHECK(begun.second > created.second);
  CHECK(home.look() == begun);
}

TEST_CASE("A run that is gone is asked no longer, and another one of its name is itself") {
  Asking home;
  home.create();
  home.folder.run("r").iterate();
  const auto first = home.look();
  std::filesystem::remove_all(home.runs_path + "/r");
  CHECK(home.look().first == nullptr);
  home.create();
  CHECK(home.look().second < first.second);
}

TEST_CASE("Behind a torn commit nothing is believed to be the last word") {
  Asking home;
  home.create();
  const auto whole = read_text(home.journal("r"));
  write_text(home.journal("r"), whole + R"({"seq":)");
  const auto torn = home.look();
  REQUIRE(torn.first != nullptr);
  // As long as it was, within the same tick of the clock: only the bytes tell.
  home.folder.run("r").iterate();
  CHECK(home.look().second > torn.second);
}

TEST_CASE("A simulated run is for beats of its own time") {
  Asking home;
  home.simulated = true;
  home.create();
  CHECK(home.look().first != nullptr);
  home.simulated = false;
  CHECK(code_of([&] { home.look(); }) == "SIMULATED_HOME");
}

TEST_CASE("A run that somebody else made under the name is refused each time") {
  Asking home;
  home.create();
  const HomeRun other = {.name = "r", .process = "visor"};
  for (int i = 0; i < 2; ++i) {
    CHECK(code_of([&] { home.look(other); }) == "HOME_RUN_TAKEN");
    CHECK(home.look().first != nullptr);
  }
}

}  // namespace
}  // namespace reprise::test
