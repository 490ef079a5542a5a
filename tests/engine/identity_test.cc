// Runs that are made again under an id that another run had: what others know of the earlier one
// does not reach the later one.
#include "engine/identity.h"

#include <catch2/catch.hpp>

#include "engine/drive/work.h"
#include "engine/put_away.h"
#include "engine/run_signal.h"
#include "engine/signal.h"
#include "tests/engine/folder_fixture.h"

namespace reprise::test {
namespace {

const std::string kNews =
    R"({"ask":[{"kind":"run.signal","args":{"run":"other","name":"news","value":1}}]})";
const std::string kTwice = R"({"maxAttempts":2,"backoffMs":0,"factor":1,"maxBackoffMs":0})";
const std::string kTakesNews = R"({"ask":[{"kind":"agent"}]})";

/// The keys of the signals that a run has received, a line each.
std::string received_keys(TestRun run) {
  std::string keys;
  JsonReader reader;
  for_each_event(run.dir(), [&](const RecordView& record) {
    if (record.type != RecordType::kSignalReceived) return;
    keys += reader.members(record.data).text("key") + "\n";
  });
  return keys;
}

void forget(Folder& folder, const std::string& id) { folder.world.runs->remove_tree(id); }

/// A run that asked for a child, which completed; then the parent was lost, and made again.
void make_parent_again(Folder& folder) {
  folder.create("r", kChild);
  folder.iterate("r");
  folder.iterate("r.t1");
  folder.run("r.t1").post("t1", R"({"exitCode":0})");
  folder.run("r.t1").iterate();
  REQUIRE(folder.run("r.t1").status() == "completed");
  forget(folder, "r");
  folder.create("r", kChild);
}

TEST_CASE("Each run has an identity, also one that is made again under its id") {
  Folder folder;
  const auto first = folder.create("r", kNews).state();
  CHECK(first.identity.size() == 32);
  auto run = folder.run("r");
  run.dir().remove("state/state.json");
  CHECK(run.state().identity == first.identity);
  forget(folder, "r");
  const auto second = folder.create("r", kNews).state();
  CHECK(second.identity.size() == 32);
  CHECK(second.identity != first.identity);
  folder.world.rules = 0;
  CHECK(folder.create("old", kNews).state().identity.empty());
}

TEST_CASE("A run that is made again under its id sends its signals once more") {
  Folder folder;
  folder.create("other", kTakesNews);
  folder.iterate("other");
  std::string keys;
  for (int round = 0; round < 2; ++round) {
    auto run = folder.create("r", kNews);
    keys += "reprise.run.signal:r.t1/" + run.state().identity + "\n";
    folder.iterate("r");
    folder.iterate("r");
    CHECK(run.status() == "completed");
    CHECK(received_keys(folder.run("other")) == keys);
    forget(folder, "r");
  }
}

TEST_CASE("Runs without an identity keep the keys of their signals: one under way arrives once") {
  Folder folder;
  folder.world.rules = 0;
  folder.create("other", kTakesNews);
  folder.iterate("other");
  auto run = folder.create("r", kNews);
  run.iterate();  // and the program ended before its signal was recorded, or just after that
  if (GENERATE(true, false)) {
    send_signal(
        folder.run("other").dir(), folder.world.context,
        {.name = "news", .value = parse_value("1", "value"), .key = "reprise.run.signal:r.t1"});
  }
  AssignRequest newest;
  newest.newest_rules = newest.yes = true;
  REQUIRE(assign_process(run.dir(), folder.world.context, {}, newest).assigned);
  folder.iterate("r");
  folder.iterate("r");
  CHECK(run.status() == "completed");
  CHECK(received_keys(folder.run("other")) == "reprise.run.signal:r.t1\n");
  CHECK(run.state().identity.empty());
}

TEST_CASE("A child of an earlier run is not taken for that of a run that was made again") {
  Folder folder;
  make_parent_again(folder);
  const auto types = folder.run("r.t1").types();
  SECTION("by its parent") {
    folder.iterate("r");
    CHECK(folder.run("r").end() ==
          R"([{"data":{"code":"RUN_EXISTS"},"name":"ChildRunNotCreated"}])");
  }
  SECTION("when it tells its end") {
    folder.run("r").iterate();
    folder.iterate("r.t1");
    CHECK(folder.run("r").status() == "waiting");
  }
  SECTION("when its parent is cancelled") {
    folder.run("r").iterate();
    folder.cancel("r");
    folder.iterate("r");
    CHECK(folder.run("r").status() == "cancelled");
  }
  CHECK(folder.run("r.t1").types() == types);
}

TEST_CASE("When it is out of the way, the later run has a child of its own") {
  Folder folder;
  make_parent_again(folder);
  folder.run("r").iterate();
  forget(folder, "r.t1");
  folder.iterate("r");
  folder.iterate("r.t1");
  folder.run("r.t1").post("t1", R"({"exitCode":0})");
  folder.iterate("r.t1");
  folder.iterate("r");
  CHECK(folder.run("r").status() == "completed");
}

TEST_CASE("A child of an earlier run neither goes with the later one nor is kept by it") {
  Folder folder;
  make_parent_again(folder);
  folder.run("r").iterate();
  const auto plan = [&](const std::string& name) {
    std::string names;
    for (const auto& run : plan_put_away(*folder.world.runs, name, folder.world.context)) {
      names += run.name + " ";
    }
    return names;
  };
  CHECK(plan("r.t1") == "r.t1 ");
  halt_run(folder.run("r").dir(), folder.world.context, "enough", false);
  CHECK(plan("r") == "r ");
}

TEST_CASE("A child that is made again under its id ends again for its parent") {
  Folder folder;
  const std::string child =
      ask("builtin:checklist", kOneStep, R"(,"options":{"retry":)" + kTwice + "}");
  auto parent = folder.create("r", R"({"ask":[)" + child + "]}");
  folder.iterate("r");
  const auto end_child = [&] {
    halt_run(folder.run("r.t1").dir(), folder.world.context, "no", false);
    const auto state = folder.run("r.t1").state();
    CHECK(state.parent_identity == parent.state().identity);
    folder.iterate("r");
    return state;
  };
  const auto first = end_child();
  REQUIRE(parent.state().open.at(1).attempt == 2);
  folder.iterate("r");
  REQUIRE(parent.state().open.at(1).attempt == 2);
  forget(folder, "r.t1");
  folder.iterate("r");
  const auto second = end_child();
  CHECK(first.end->seq == second.end->seq);
  CHECK(first.identity != second.identity);
  CHECK(parent.status() == "completed");
}

TEST_CASE("An idempotency key is the same in every attempt, and of no other run") {
  Folder folder;
  const auto key_of = [&](const std::string& id) {
    const auto state = folder.run(id).state();
    const auto work = work_of("/home", state, state.open.at(1), {});
    CHECK(work.idempotency_key == idempotency_key(state, 1));
    return work.idempotency_key;
  };
  const std::string retried = R"({"ask":[{"kind":"agent","options":{"retry":)" + kTwice + "}}]}";
  folder.create("r", retried);
  folder.iterate("r");
  const auto first = key_of("r");
  CHECK(first == "r/t1/" + folder.run("r").state().identity);
  folder.run("r").post_error("t1", R"({"message":"no"})");
  REQUIRE(folder.run("r").state().open.at(1).attempt == 2);
  CHECK(key_of("r") == first);
  forget(folder, "r");
  folder.create("r", retried);
  folder.iterate("r");
  CHECK(key_of("r") != first);
  folder.world.rules = 0;
  folder.create("old", kTakesNews);
  folder.iterate("old");
  CHECK(key_of("old") == "old/t1");
}

}  // namespace
}  // namespace reprise::test
