// The outbox over a real index: off unless it is wanted, one batch at a time, until all have
// vectors.
#include "engine/heartbeat/memory_chore.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "engine/memory/recall.h"
#include "engine/tell.h"
#include "processes/memory/memory.h"
#include "tests/engine/index/index_fixture.h"

using namespace reprise;
using namespace reprise::test;
using Json = nlohmann::json;

namespace {

class RememberingHome {
 public:
  RememberingHome() {
    world().context.built_ins = x_built_ins;
    config = load_config({.user_file = {},
                          .home_file = {},
                          .environment = [](const std::string&) { return std::nullopt; },
                          .variables = {},
                          .set = {}});
    CreateRequest request;
    request.run_id = "memory";
    request.process.built_in = "memory";
    request.inputs = parse_value("{}", "inputs");
    create_run(world().runs.get(), x_home.runs_path, world().context, x_home.folder.folder().read,
               request);
  }

  World& world() { return x_home.folder.world; }
  void enable(int batch) {
    config.sections["memory"] = Json{{"embedding", {{"enabled", true}, {"batch", batch}}}}.dump();
  }
  void add_executor() {
    config.executors.push_back({.name = "vectors", .type = "mock", .json = "{}", .origin = {}});
    MatchRule rule;
    rule.kind = "embedding";
    rule.executor = "vectors";
    config.match.push_back(rule);
  }
  void save(const std::string& note) {
    const Signal signal{.name = "memory.save",
                        .value = parse_value(Json{{"note", note}}.dump(), "memory"),
                        .key = {}};
    tell(*world().runs->open_dir("memory"), world().context, {signal}, After::kIterate, {});
  }
  std::string beat() {
    Workspace workspace({.runs_dir = {},
                         .home = x_home.path(""),
                         .environment_home = {},
                         .working_dir = "/",
                         .user_home = "/"},
                        false);
    auto index = x_home.index();
    BeatHome home{workspace, world().context, index, asked, config, world().clock.now_ms(), false};
    const auto chore = make_memory_chore();
    std::string what;
    for (const auto& due : chore->due(home)) {
      what += due.what;
      chore->perform(home, due);
    }
    return what;
  }
  TestRun run() { return {world(), world().runs->open_dir("memory")}; }
  size_t without_vector() {
    return x_home.index().ask([&](Database& database) {
      return list_without_vector(database, world().clock.now_ms(), 100).size();
    });
  }

  Config config;
  AskedRuns asked;

 private:
  const std::vector<BuiltIn> x_built_ins = {memory_process()};
  IndexedHome x_home;
};

}  // namespace

TEST_CASE("Nobody is asked for vectors unless somebody wants them and somebody makes them") {
  RememberingHome home;
  home.save("rain");
  home.add_executor();
  CHECK(home.beat().empty());
  RememberingHome other;
  other.save("rain");
  other.enable(2);
  CHECK(other.beat().empty());
}

TEST_CASE("One batch at a time, with a pause after a failure, until all have vectors") {
  RememberingHome home;
  home.add_executor();
  home.enable(2);
  for (const auto* note : {"rain", "snow", "hail"}) home.save(note);
  CHECK(home.beat() == "embed 2 memories");
  CHECK(home.beat().empty());
  home.run().post_error("t1", R"({"name":"Down","message":"no"})");
  home.run().iterate();
  CHECK(home.beat().empty());
  home.world().clock.advance(5000);
  CHECK(home.beat() == "embed 2 memories");
  home.run().post("t2", "[[1,0],[0,1]]");
  home.run().iterate();
  CHECK(home.without_vector() == 1);
  CHECK(home.beat() == "embed 1 memory");
  home.run().post("t3", R"({"vectors":[[1,1]],"model":"small"})");
  home.run().iterate();
  CHECK(home.without_vector() == 0);
  CHECK(home.beat().empty());
  home.run().check_replay();
}
