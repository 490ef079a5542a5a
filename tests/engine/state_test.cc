// The state from a full replay, from the cache plus tail, and after a rebuild are equal at every
// prefix.
#include <catch2/catch.hpp>

#include "engine/answer.h"
#include "engine/lease.h"
#include "engine/mend.h"
#include "engine/signal.h"
#include "engine/state_cache.h"
#include "engine/stop.h"
#include "journal/blobs.h"
#include "processes/checklist/checklist.h"
#include "tests/engine/family_process.h"
#include "tests/engine/run_fixture.h"

namespace reprise::test {
namespace {

/// Everything a state holds, as text: two equal states have equal texts.
std::string whole_text(TestRun& run, const RunState& state) {
  store_state(run.dir(), state, {});
  auto text = *read_file(run.dir(), "state/state.json");
  for (const auto id : state.watched) text += " t" + std::to_string(id);
  return text;
}

TestRun checklist_run(World& world, int steps) {
  std::string list;
  for (int i = 1; i <= steps; ++i)
    list += (i > 1 ? "," : "") + ("\"step " + std::to_string(i) + "\"");
  auto run = TestRun::built_in(world, "checklist",
                               R"({"steps":[)" + list + R"(],"onFailure":"continue"})");
  for (int i = 1; i <= steps; ++i) {
    run.iterate();
    run.post("t" + std::to_string(i), i % 3 == 0 ? R"({"exitCode":1})" : R"({"exitCode":0})");
  }
  return run;
}

/// A run that was paused, answered, cancelled and has a child that nobody waits for.
TestRun eventful_run(World& world) {
  auto run =
      TestRun::built_in(world, "family",
                        R"({"cleanUp":true,"ask":[{"kind":"run","args":{"entry":"builtin:none"}},)"
                        R"({"kind":"breakpoint","definition":{"breakpoint":{"quorum":3}}}]})");
  run.iterate();
  pause_run(run.dir(), world.context, "", false);
  report_progress(run.dir(), world.context, {.effect = {2, {}}}, parse_value("50", "progress"));
  for (const auto* by : {"anna", "ben"}) {
    answer_approval(run.dir(), world.context, {.effect = {2, {}}, .approved = true, .by = by});
  }
  resume_run(run.dir(), world.context, "", false);
  cancel_run(run.dir(), world.context, "enough", false);
  return run;
}

TEST_CASE("Cache plus tail, full read and rebuild agree at every prefix of a journal") {
  World world({checklist_process(), family_process()});
  auto whole = GENERATE(true, false) ? checklist_run(world, 8) : eventful_run(world);
  whole.iterate();
  for (size_t kept = 1; kept <= whole.commits(); ++kept) {
    INFO("cut behind commit " << kept);
    auto run = whole.cut(kept);
    const auto full = read_state(run.dir(), true).state;
    const auto expected = whole_text(run, full);
    // A cache of every earlier prefix, then the tail.
    for (size_t cached = 1; cached <= kept; ++cached) {
      auto earlier = whole.cut(cached);
      const auto old = read_state(earlier.dir(), true).state;
      store_state(run.dir(), old, {});
      CHECK(whole_text(run, read_state(run.dir()).state) == expected);
    }
    rebuild_run(run.dir(), world.context);
    CHECK(whole_text(run, read_state(run.dir()).state) == expected);
  }
}

TEST_CASE(
    "A built-in process goes on the same from a snapshot and from its first record, at every "
    "prefix") {
  World world({checklist_process()});
  auto whole = checklist_run(world, 8);
  whole.iterate();
  REQUIRE(whole.status() == "completed");
  for (size_t kept = 1; kept <= whole.commits(); ++kept) {
    INFO("cut behind commit " << kept);
    auto folded = whole.cut(kept);
    auto snapshot = whole.cut(kept);
    rebuild_run(snapshot.dir(), world.context);
    for (auto* run : {&folded, &snapshot}) {
      for (int i = 1; i <= 8; ++i) {
        run->iterate();
        run->post("t" + std::to_string(i), i % 3 == 0 ? R"({"exitCode":1})" : R"({"exitCode":0})");
      }
      run->iterate();
      CHECK(run->end() == whole.end());
      CHECK(run->decisions() == whole.decisions());
    }
  }
}

TEST_CASE("A damaged, foreign or future cache is dropped") {
  World world({checklist_process()});
  auto run = checklist_run(world, 3);
  const auto expected = read_state(run.dir(), true).state;
  const auto good =
      (store_state(run.dir(), expected, {}), *read_file(run.dir(), "state/state.json"));
  for (size_t i = 0; i < good.size(); i += 7) {
    auto bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 4);
    replace_file(run.dir(), "state/state.json", bad, false);
    CHECK(read_state(run.dir()).state.head == expected.head);
    CHECK(read_state(run.dir()).state.open.size() == expected.open.size());
  }
  auto ahead = checklist_run(world, 6);
  const auto future = read_state(ahead.dir(), true).state;
  store_state(run.dir(), future, {});
  CHECK(read_state(run.dir()).state.head == expected.head);
}

TEST_CASE("A cache of another shape is dropped, though its sum is right") {
  World world({checklist_process()});
  auto run = checklist_run(world, 3);
  const auto expected = read_state(run.dir(), true).state;
  for (const std::string shape :
       {R"({"version":6)", R"({"version":6,"head":{},"createdPlace":[1])", R"({"version":"6")",
        R"({"version":6,"head":{},"createdPlace":["x",1,99999999999999999999])", "no JSON"}) {
    const auto line = shape + R"(,"sum":")" + digest128(shape) + "\"}\n";
    replace_file(run.dir(), "state/state.json", line, false);
    CHECK_FALSE(load_state(run.dir(), CachePart::kSnapshot));
    CHECK(read_state(run.dir()).state.head == expected.head);
  }
}

TEST_CASE("A cache of another version is dropped, though its sum is right") {
  World world({checklist_process()});
  auto run = checklist_run(world, 3);
  store_state(run.dir(), read_state(run.dir(), true).state, {});
  const auto line = *read_file(run.dir(), "state/state.json");
  const auto body = line.substr(0, line.rfind(",\"sum\""));
  const auto begin = std::string(R"({"version":)");
  REQUIRE(body.starts_with(begin));
  const auto number = body.find(',') - begin.size();
  for (const auto& [version, kept] :
       {std::pair(body.substr(begin.size(), number), true), std::pair(std::string("5"), false),
        std::pair(std::string("7000"), false)}) {
    const auto other = begin + version + body.substr(begin.size() + number);
    replace_file(run.dir(), "state/state.json", other + ",\"sum\":\"" + digest128(other) + "\"}\n",
                 false);
    INFO(version);
    CHECK(load_state(run.dir(), CachePart::kState).has_value() == kept);
  }
}

TEST_CASE(
    "A cache that ends anywhere before its end is dropped, or read as far as it is asked for") {
  World world({checklist_process()});
  auto run = checklist_run(world, 3);
  send_signal(run.dir(), world.context,
              {.name = "note", .value = parse_value("1", "it"), .key = "key"});
  rebuild_run(run.dir(), world.context);
  const auto expected = read_state(run.dir(), true).state;
  const auto good = *read_file(run.dir(), "state/state.json");
  const auto first = good.find('\n') + 1;
  for (size_t size = 0; size < good.size(); ++size) {
    replace_file(run.dir(), "state/state.json", good.substr(0, size), false);
    INFO(size);
    CHECK(load_state(run.dir(), CachePart::kState).has_value() == (size >= first));
    CHECK_FALSE(load_state(run.dir(), CachePart::kSnapshot));
    CHECK(read_state(run.dir()).state.head == expected.head);
  }
  // A line that has a newline where its sum is to stand, or before it.
  for (const std::string line : {"\n", "{}\n", "\"}\n"}) {
    replace_file(run.dir(), "state/state.json", line, false);
    CHECK_FALSE(load_state(run.dir(), CachePart::kState));
  }
}

TEST_CASE("A damaged snapshot is not folded from") {
  World world({checklist_process()});
  auto run = checklist_run(world, 3);
  rebuild_run(run.dir(), world.context);
  const auto good = *read_file(run.dir(), "state/state.json");
  const auto second = good.find('\n') + 1;
  REQUIRE(second < good.size());
  REQUIRE(load_state(run.dir(), CachePart::kSnapshot)->snapshot + "\n" == good.substr(second));
  for (size_t i = second; i < good.size(); ++i) {
    auto bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 4);
    replace_file(run.dir(), "state/state.json", bad, false);
    CHECK(load_state(run.dir(), CachePart::kState)->has_snapshot);
    // The last byte is only the line's end.
    CHECK(load_state(run.dir(), CachePart::kSnapshot).has_value() == (i + 1 == good.size()));
  }
  replace_file(run.dir(), "state/state.json", good.substr(0, second), false);
  CHECK_FALSE(load_state(run.dir(), CachePart::kSnapshot));
}

TEST_CASE("Keys of signals that are damaged in the cache still make a repeat a no-op") {
  World world({checklist_process()});
  auto run = checklist_run(world, 1);
  const auto send = [&](const std::string& key) {
    const Signal signal{.name = "note", .value = parse_value("1", "it"), .key = key};
    return send_signal(run.dir(), world.context, signal).recorded;
  };
  for (int i = 0; i < 20; ++i) REQUIRE(send("key " + std::to_string(i)));
  rebuild_run(run.dir(), world.context);
  const auto good = *read_file(run.dir(), "state/state.json");
  const auto keys = good.find('\n') + 1;
  for (size_t i = keys; i < keys + key_blocks_size(20); i += 5) {
    auto bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 4);
    replace_file(run.dir(), "state/state.json", bad, false);
    CHECK_FALSE(send("key " + std::to_string(i % 20)));
  }
  CHECK(send("another"));
  store_state(run.dir(), read_state(run.dir()).state, {});
  CHECK_FALSE(read_file(run.dir(), "state/state.json").has_value());
  CHECK_FALSE(send("another"));
}

TEST_CASE("A post that rewrites the cache carries the snapshot over") {
  World world({checklist_process()});
  auto run = TestRun::built_in(world, "checklist", R"({"steps":["a","b"]})");
  run.iterate();
  rebuild_run(run.dir(), world.context);
  const auto before = *load_state(run.dir(), CachePart::kSnapshot);
  REQUIRE_FALSE(before.snapshot.empty());
  // Longer than what a post leaves to the tail.
  run.post("t1", '"' + std::string(kInlineValueBytes - 2, 'x') + '"');
  const auto after = *load_state(run.dir(), CachePart::kSnapshot);
  CHECK(after.state.head.seq == before.state.head.seq + 1);
  CHECK(after.snapshot == before.snapshot);
  run.iterate();
  CHECK(run.pending() == "t2:b");
}

TEST_CASE("A shell error that waits in the cache is delivered as a value, too") {
  const auto end = [](bool cached) {
    World world({checklist_process()});
    auto run =
        TestRun::built_in(world, "checklist", R"({"steps":["make"],"onFailure":"continue"})");
    run.iterate();
    run.post_error("t1", R"({"message":"no","data":{"exitCode":3}})");
    if (cached) rebuild_run(run.dir(), world.context);
    run.iterate();
    return run.end();
  };
  CHECK(end(true).find('3') != std::string::npos);
  CHECK(end(true) == end(false));
}

TEST_CASE("A built-in process comes to a snapshot, however large the posts between are") {
  World world({checklist_process()});
  auto run = TestRun::built_in(world, "checklist", R"({"steps":["a","b","c","d","e","f"]})");
  for (int i = 1; i <= 6; ++i) {
    run.iterate();
    run.post("t" + std::to_string(i), '"' + std::string(40'000, 'x') + '"');
  }
  const auto cached = load_state(run.dir(), CachePart::kSnapshot);
  REQUIRE(cached);
  CHECK(cached->has_snapshot);
}

TEST_CASE("A status follows the journal: created, waiting, ready, completed") {
  World world({checklist_process()});
  auto run = TestRun::built_in(world, "checklist", R"({"steps":["make"]})");
  CHECK(run.status() == "created");
  run.iterate();
  CHECK(run.status() == "waiting");
  run.post("t1", "{}");
  CHECK(run.status() == "ready");
  run.iterate();
  CHECK(run.status() == "completed");
}

TEST_CASE("Task files are there for pending effects only, and come back when they are lost") {
  World world({checklist_process()});
  auto run = TestRun::built_in(world, "checklist", R"({"steps":["make","test"]})");
  run.iterate();
  CHECK(run.dir().list("tasks/t1") == std::vector<std::string>{"input.json", "task.json"});
  run.dir().remove_tree("tasks");
  run.iterate();
  CHECK(run.dir().list("tasks/t1").size() == 2);
  write_new_file(run.dir(), "tasks/t1/notes.txt", "mine", false);
  run.post("t1", "{}");
  run.iterate();
  CHECK(run.dir().list("tasks/t1") == std::vector<std::string>{"notes.txt"});
  CHECK(run.dir().list("tasks/t2").size() == 2);
}

}  // namespace
}  // namespace reprise::test
