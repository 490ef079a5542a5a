// What a heartbeat asks of the index.
#include "engine/index/due.h"

#include <catch2/catch.hpp>

#include "engine/claim.h"
#include "engine/signal.h"
#include "engine/stop.h"
#include "tests/engine/index/index_fixture.h"

namespace reprise::test {
namespace {

const std::string kAgent = R"({"ask":[{"kind":"agent"}]})";
const std::string kParent = R"({"ask":[)" + ask("builtin:family", kAgent) + "]}";

/// "ready:web time:nightly ", of runs by the wall clock or of simulated ones.
std::string due(IndexedHome& home, int64_t at_ms = kStartMs, bool simulated = false,
                uint64_t limit = 100) {
  auto index = home.index();
  const auto runs = index.ask([&](Database& database) {
    return list_due(database, {.now_ms = at_ms, .simulated = simulated}, limit);
  });
  std::string text;
  for (const auto& run : runs) text += std::string(why_name(run.why)) + ":" + run.name + " ";
  return text;
}

void create(IndexedHome& home, const std::string& id, const std::string& inputs,
            const std::map<std::string, std::string>& labels, const std::string& process = "family",
            bool simulated = false) {
  CreateRequest request;
  request.run_id = id;
  request.process.built_in = process;
  request.inputs = parse_value(inputs, "inputs");
  request.labels = labels;
  request.simulated = simulated;
  create_run(home.folder.world.runs.get(), home.runs_path, home.folder.world.context,
             home.folder.folder().read, request);
}

const std::map<std::string, std::string> kAutodrive = {
    {std::string(kAutodriveLabel), std::string(kAutodriveValue)}};

TEST_CASE("Runs that have news are due, and those whose time has come") {
  IndexedHome home;
  home.folder.create("ready", kAgent);
  home.folder.iterate("ready");
  home.post("ready", "t1");
  home.folder.create("leased", kAgent);
  home.folder.iterate("leased");
  ClaimRequest claim;
  claim.worker = "w";
  claim.lease_ms = 5000;
  claim_effect(home.folder.run("leased").dir(), home.folder.world.context, claim);
  home.folder.create("waits", kAgent);
  home.folder.iterate("waits");
  CHECK(due(home) == "ready:ready ");
  CHECK(due(home, kStartMs + 4999) == "ready:ready ");
  CHECK(due(home, kStartMs + 5000) == "ready:ready time:leased ");
  CHECK(due(home, kStartMs + 5000, false, 1) == "ready:ready ");
  home.folder.iterate("ready");
  CHECK(due(home).empty());
}

TEST_CASE("A new run begins by itself when it was made for that, or is a child") {
  IndexedHome home;
  create(home, "mine", kAgent, {});
  create(home, "other", kAgent, {{std::string(kAutodriveLabel), "no"}});
  create(home, "auto", kAgent, kAutodrive);
  home.folder.create("parent", kParent);
  home.folder.iterate("parent");
  CHECK(due(home) == "begins:auto begins:parent.t1 ");
}

TEST_CASE("A child of an earlier run has nothing to tell the later one, which is told so once") {
  IndexedHome home;
  home.folder.create("p", kParent);
  home.folder.iterate("p");
  home.folder.iterate("p.t1");
  halt_run(home.folder.run("p.t1").dir(), home.folder.world.context, "no", false);
  home.folder.world.runs->remove_tree("p");
  home.folder.create("p", kParent);
  home.folder.run("p").iterate();
  CHECK(due(home) == "relatives:p ");
  home.folder.iterate("p");
  CHECK(home.folder.run("p").state().end);
  CHECK(due(home).empty());
  home.folder.iterate("p.t1");
  CHECK(due(home).empty());
}

TEST_CASE("Simulated runs and those by the wall clock are never due together") {
  IndexedHome home;
  create(home, "wall", kAgent, kAutodrive);
  create(home, "simulated", kAgent, kAutodrive, "family", true);
  CHECK(due(home) == "begins:wall ");
  CHECK(due(home, kStartMs, true) == "begins:simulated ");
}

TEST_CASE("A child that is missing, and one whose end the parent has not heard, are due") {
  IndexedHome home;
  home.folder.create("parent", kParent);
  home.folder.run("parent").iterate();  // and nobody made the child
  CHECK(due(home) == "relatives:parent ");
  CHECK(due(home) == "relatives:parent ");
  home.folder.iterate("parent");
  CHECK(due(home) == "begins:parent.t1 ");
  home.folder.iterate("parent.t1");
  CHECK(due(home).empty());
  home.post("parent.t1", "t1");
  CHECK(due(home) == "ready:parent.t1 ");
  home.folder.run("parent.t1").iterate();  // and nobody told the parent
  CHECK(due(home).find("relatives:parent.t1 ") != std::string::npos);
  home.folder.iterate("parent.t1");
  CHECK(due(home) == "ready:parent ");
  home.folder.iterate("parent");
  CHECK(due(home).empty());
}

TEST_CASE("A child that nobody waits for any longer is due until it was told") {
  IndexedHome home;
  home.folder.create(
      "parent",
      R"({"ask":[)" + ask("builtin:family", R"({"cleanUp":true,"ask":[{"kind":"agent"}]})") + "]}");
  home.folder.iterate("parent");
  home.folder.iterate("parent.t1");
  home.folder.cancel("parent");
  home.folder.run("parent").iterate();
  CHECK(due(home) == "relatives:parent ");
  home.folder.iterate("parent");
  CHECK(due(home) == "ready:parent.t1 ");
  home.folder.iterate("parent.t1");
  CHECK(home.folder.run("parent.t1").status() == "waiting");  // for its clean-up
  CHECK(due(home).empty());
}

TEST_CASE("A child that was deleted is due to be made again") {
  IndexedHome home;
  home.folder.create("parent", kParent);
  home.folder.iterate("parent");
  home.folder.iterate("parent.t1");
  CHECK(due(home).empty());
  home.folder.world.runs->remove_tree("parent.t1");
  CHECK(due(home) == "relatives:parent ");
}

TEST_CASE("What is due is the same when the index is made anew") {
  IndexedHome home;
  home.folder.create("parent", kParent);
  home.folder.run("parent").iterate();
  create(home, "auto", kAgent, kAutodrive);
  const auto before = due(home);
  CHECK(before == "begins:auto relatives:parent ");
  home.index().rebuild();
  CHECK(due(home) == before);
}

TEST_CASE("Effects of runs that heartbeats drive are found, and those of their children") {
  IndexedHome home;
  const auto found = [&] {
    auto index = home.index();
    std::string text;
    for (const auto& effect : index.ask(
             [](Database& database) { return list_driven(database, {.now_ms = kStartMs}, 100); })) {
      text += effect.root + ">" + effect.run + "/" + std::to_string(effect.effect) + " ";
    }
    return text;
  };
  home.folder.create("mine", kAgent);
  home.folder.iterate("mine");
  create(home, "auto", R"({"ask":[{"kind":"agent"},{"kind":"breakpoint"}]})", kAutodrive);
  home.folder.iterate("auto");
  create(home, "family", kParent, kAutodrive);
  home.folder.iterate("family");
  home.folder.iterate("family.t1");
  CHECK(found() == "auto>auto/1 family>family.t1/1 ");
  home.post("auto", "t1");
  CHECK(found() == "family>family.t1/1 ");
  pause_run(home.folder.run("family").dir(), home.folder.world.context, "later", false);
  CHECK(found().empty());
}

}  // namespace
}  // namespace reprise::test
