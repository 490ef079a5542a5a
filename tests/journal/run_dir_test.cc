#include "journal/run_dir.h"

#include <catch2/catch.hpp>

#include "journal/error.h"
#include "journal/memory_files.h"
#include "tests/fakes/fault_files.h"

using namespace reprise;

namespace {

void build(Dir& run) {
  run.make_dir("journal");
  run.make_dir("process/lib");
  write_new_file(run, "journal/1", "one", true);
  write_new_file(run, "process/lib/a.js", "two", true);
}

}  // namespace

TEST_CASE("a run appears whole") {
  MemoryFiles files;
  const auto runs = files.root();
  NewRun run(*runs, "01A");
  build(run.dir());
  CHECK(runs->list("") == std::vector<std::string>{".new-01A"});
  REQUIRE(run.commit("my-run"));
  CHECK(runs->list("") == std::vector<std::string>{"my-run"});
  files.power_loss();
  CHECK(read_file(*runs, "my-run/journal/1") == "one");
  CHECK(read_file(*runs, "my-run/process/lib/a.js") == "two");
}

TEST_CASE("a run that is not committed leaves nothing") {
  MemoryFiles files;
  const auto runs = files.root();
  {
    NewRun run(*runs, "01A");
    build(run.dir());
  }
  CHECK(runs->list("").empty());
}

TEST_CASE("a run of the same name is left alone") {
  MemoryFiles files;
  const auto runs = files.root();
  runs->make_dir("my-run");
  write_new_file(*runs, "my-run/old", "", false);
  {
    NewRun run(*runs, "01A");
    build(run.dir());
    CHECK_FALSE(run.commit("my-run"));
  }
  CHECK(runs->list("") == std::vector<std::string>{"my-run"});
  CHECK(runs->list("my-run") == std::vector<std::string>{"old"});
}

TEST_CASE("whatever fails or loses power, a run exists whole or not at all") {
  for (const bool names_survive : {false, true}) {
    for (uint64_t fail_at = 1;; fail_at++) {
      MemoryFiles files;
      Faults faults;
      faults.fail_at = fail_at;
      faults.from_then_on = true;
      bool committed = false;
      try {
        const auto runs = with_faults(files.root(), faults);
        NewRun run(*runs, "01A");
        build(run.dir());
        committed = run.commit("my-run");
      } catch (const Error& error) {
        CHECK(error.exit() == Exit::kSystem);
      }
      files.power_loss(names_survive);
      const auto runs = files.root();
      INFO("fail at " << fail_at);
      if (runs->stat("my-run")) {
        CHECK(read_file(*runs, "my-run/journal/1") == "one");
        CHECK(read_file(*runs, "my-run/process/lib/a.js") == "two");
      } else {
        CHECK_FALSE(committed);
      }
      if (committed) break;
    }
  }
}

TEST_CASE("a held lock names its holder") {
  MemoryFiles files;
  const auto run = files.root();
  const auto other = files.root();
  auto lock = lock_run(*run, 0, "reprise run:iterate");
  try {
    lock_run(*other, 0, "reprise task:post");
    FAIL("was locked twice");
  } catch (const Error& error) {
    CHECK(error.code() == "LOCKED");
    CHECK(error.exit() == Exit::kLocked);
    CHECK(error.message().find("reprise run:iterate") != std::string::npos);
  }
  lock.reset();
  CHECK(lock_run(*other, 0, ""));
}
