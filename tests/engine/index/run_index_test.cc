// The index against the truth: after whatever happened it holds what a fresh reading of all
// journals says.
#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>

#include "engine/claim.h"
#include "tests/engine/index/index_fixture.h"

using namespace reprise;
using namespace reprise::test;
namespace fs = std::filesystem;

TEST_CASE("After every step the index holds what the journals say") {
  IndexedHome home;
  const auto check = [&] { CHECK(home.ask() == home.fresh()); };
  check();
  for (const std::string id : {"a", "b", "c"}) {
    home.folder.create(id, R"({"ask":[{"kind":"agent"},{"kind":"breakpoint"}]})");
    check();
    home.folder.iterate(id);
    check();
    home.emit(id, "step.done");
    check();
  }
  ClaimRequest claim;
  claim.worker = "w";
  claim.lease_ms = 1000;
  claim_effect(home.folder.run("b").dir(), home.folder.world.context, claim);
  check();
  home.folder.run("a").post_error("t1", R"({"message":"no"})");
  check();
  home.post("a", "t2");
  home.folder.iterate("a");
  check();
  home.folder.cancel("c");
  check();
  home.folder.iterate("c");
  check();
  CHECK(home.fresh().find("runs|a|a|family|completed") != std::string::npos);
  CHECK(home.fresh().find("|w|") != std::string::npos);
}

TEST_CASE("A parent's children are in the index, with their parent") {
  IndexedHome home;
  home.folder.create("p", kChild);
  home.folder.iterate("p");
  home.folder.iterate_all("p");
  CHECK(home.ask() == home.fresh());
  auto index = home.index();
  const auto page = index.ask([](Database& database) {
    RunFilter filter;
    filter.parent = "p";
    return list_runs(database, filter).value();
  });
  REQUIRE(page.rows.size() == 1);
  CHECK(page.rows[0].name == "p.t1");
}

TEST_CASE("A run that is deleted and made again under its id between two questions is read again") {
  IndexedHome home;
  home.start("a");
  home.emit("a", "told.once");
  for (int i = 0; i < 3; ++i) home.ask();
  REQUIRE(home.last.runs_read == 0);
  const auto before = home.folder.run("a").state().identity;
  home.folder.world.runs->remove_tree("a");
  home.folder.create("a", kOneStep);
  const auto after = home.folder.run("a").state().identity;
  const auto text = home.ask();
  CHECK(text == home.fresh());
  CHECK(text.find(before) == std::string::npos);
  CHECK(text.find(after) != std::string::npos);
  CHECK(text.find("told.once") == std::string::npos);
}

TEST_CASE("A question about the children of a run leaves those of an earlier run of its id out") {
  IndexedHome home;
  const auto children = [&] {
    auto index = home.index();
    return index
        .ask([](Database& database) { return list_runs(database, {.parent = "p"}).value(); })
        .rows.size();
  };
  home.folder.create("p", kChild);
  home.folder.iterate("p");
  CHECK(children() == 1);
  home.folder.world.runs->remove_tree("p");
  CHECK(children() == 1);
  home.folder.create("p", kChild);
  CHECK(children() == 0);
  CHECK(home.ask() == home.fresh());
}

TEST_CASE("A question without news reads no run") {
  IndexedHome home;
  home.start("a");
  home.start("b");
  home.ask();
  CHECK(home.last.built);
  CHECK(home.last.runs_read == 2);
  home.ask();  // the log was begun by the first, after somebody may have looked for it
  CHECK(home.last.compared);
  home.ask();
  CHECK_FALSE(home.last.compared);
  CHECK(home.last.runs_read == 0);
  home.post("b", "t1");
  home.ask();
  CHECK_FALSE(home.last.compared);
  CHECK(home.last.runs_read == 1);
}

TEST_CASE("A run that was named and not written yet is looked at until it is") {
  IndexedHome home;
  home.start("a");
  for (int i = 0; i < 3; ++i) home.ask();
  const auto head = home.folder.run("a").state().head.seq;
  ChangeLog().touch(home.runs_path + "/a", head);  // and its writer is slow, or died
  home.ask();
  home.ask();
  home.folder.world.context.changes = nullptr;  // it had left its mark before
  home.post("a", "t1");
  CHECK(home.ask() == home.fresh());
  home.ask();
  auto index = home.index();
  CHECK(index.ask(count_touched) == 0);
}

TEST_CASE("Records that a failed append took back go from the index, too") {
  IndexedHome home;
  home.start("a");
  home.emit("a", "kept");
  for (int i = 0; i < 3; ++i) home.ask();
  const auto before = home.ask();
  const auto journal = read_text(home.journal("a"));
  const auto witness = read_text(home.runs_path + "/a/state/head");
  const auto head = home.folder.run("a").state().head.seq;
  home.emit("a", "lost");
  CHECK(home.ask() != before);
  write_text(home.journal("a"), journal);
  write_text(home.runs_path + "/a/state/head", witness);
  ChangeLog().touch(home.runs_path + "/a", head);
  CHECK(home.ask() == before);
  CHECK(home.ask() == home.fresh());
}

TEST_CASE("Work is counted as it is told, taken back and gone") {
  IndexedHome home;
  home.start("a");
  home.emit("a", "worker.spawned");
  home.emit("a", "worker.spawned");
  const auto journal = read_text(home.journal("a"));
  const auto witness = read_text(home.runs_path + "/a/state/head");
  const auto head = home.folder.run("a").state().head.seq;
  home.emit("a", "worker.failed");
  CHECK(home.ask().find("work|a|2|1\n") != std::string::npos);
  write_text(home.journal("a"), journal);
  write_text(home.runs_path + "/a/state/head", witness);
  ChangeLog().touch(home.runs_path + "/a", head);
  CHECK(home.ask().find("work|a|2|0\n") != std::string::npos);
  std::filesystem::remove_all(home.runs_path + "/a");
  CHECK(home.ask().find("work|") == std::string::npos);
}

TEST_CASE("Runs that are copied, moved or removed by hand are noticed") {
  IndexedHome home;
  home.start("a");
  home.start("b");
  for (int i = 0; i < 3; ++i) home.ask();
  fs::copy(home.runs_path + "/a", home.runs_path + "/copy", fs::copy_options::recursive);
  CHECK(home.ask() == home.fresh());
  fs::rename(home.runs_path + "/b", home.runs_path + "/moved");
  CHECK(home.ask() == home.fresh());
  fs::remove_all(home.runs_path + "/a");
  CHECK(home.ask() == home.fresh());
  CHECK(home.fresh().find("runs|a|") == std::string::npos);
}

TEST_CASE("A folder whose time says only the second is looked at while that may hide something") {
  IndexedHome home;
  home.start("a");
  home.start("b");
  const auto second = std::chrono::floor<std::chrono::seconds>(fs::file_time_type::clock::now());
  for (const std::string removed : {"", "a", "b"}) {
    if (!removed.empty()) fs::remove_all(home.runs_path + "/" + removed);
    fs::last_write_time(home.runs_path, second);
    for (int i = 0; i < 3; ++i) CHECK(home.ask() == home.fresh());
  }
}

TEST_CASE("A log that is gone, emptied, cut or strange means that every run is compared") {
  IndexedHome home;
  home.start("a");
  for (int i = 0; i < 3; ++i) home.ask();
  const auto log = home.files().changes_path();
  const auto whole = read_text(log);
  for (const std::string& text :
       {std::string(), whole.substr(0, 10), std::string("reprise-changes 1 0000000000000000\n"),
        whole + "no mark\n", std::string("something else\n")}) {
    write_text(log, text);
    home.folder.world.context.changes = nullptr;  // what was in the log is lost
    home.emit("a", "unnoticed");
    CHECK(home.ask() == home.fresh());
    CHECK(home.last.compared);
    home.ask();
    home.ask();
    CHECK_FALSE(home.last.compared);
  }
  fs::remove(log);
  home.emit("a", "unnoticed");
  CHECK(home.ask() == home.fresh());
}

TEST_CASE("A long log begins anew, and nothing is lost") {
  IndexedHome home;
  home.start("a");
  for (int i = 0; i < 3; ++i) home.ask();
  ChangeLog log;
  for (int i = 0; i < 20'000; ++i) log.touch(home.runs_path + "/a", 1);
  CHECK(read_text(home.files().changes_path()).size() > 65536);
  home.ask();
  CHECK(read_text(home.files().changes_path()).size() < 100);
  home.emit("a", "after");
  CHECK(home.ask() == home.fresh());
  CHECK_FALSE(home.last.compared);
}

TEST_CASE("A damaged run is listed as that, and the others as they are") {
  IndexedHome home;
  home.start("a");
  home.start("b");
  const auto whole = read_text(home.journal("a"));
  auto text = whole;
  text[text.find("RUN_CREATED")] = 'X';
  write_text(home.journal("a"), text);
  fs::remove(home.runs_path + "/a/state/state.json");
  CHECK(home.ask() == home.fresh());
  CHECK(home.fresh().find("runs|a|||damaged") != std::string::npos);
  CHECK(home.fresh().find("runs|b|b|family|waiting") != std::string::npos);
  write_text(home.journal("a"), whole);
  CHECK(home.ask() == home.fresh());
  CHECK(home.fresh().find("runs|a|a|family|waiting") != std::string::npos);
}

TEST_CASE("Events keep their places when their run is read again, and begin in order of time") {
  IndexedHome home;
  home.start("b");
  home.emit("b", "first");
  home.folder.world.clock.advance(1000);
  home.start("a");
  home.emit("a", "second");
  const auto types = [&] {
    auto index = home.index();
    const auto page = index.ask([](Database& db) { return list_events(db, EventFilter()); });
    std::string text;
    for (const auto& row : page.rows) text += std::to_string(row.id) + row.type + " ";
    return text;
  };
  CHECK(types() == "1first 2second ");
  home.emit("b", "third");
  fs::remove(home.files().changes_path());  // everything is compared, b is read
  CHECK(types() == "1first 2second 3third ");
}
