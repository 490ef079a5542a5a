// Copies of homes: each run as it stood at one moment, whatever moment that was.
#include "engine/home/backup.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "journal/error.h"
#include "tests/engine/home/home_fixture.h"
#include "tests/engine/run_fixture.h"

namespace reprise::test {
namespace {

constexpr const char* kSegment = "/journal/00000001.jsonl";
constexpr const char* kProcess = R"(
import { defineTask } from 'reprise';
const step = defineTask('step', (args) => ({ kind: 'agent', title: 's', text: args.text }));
export async function process(inputs, ctx) {
  return [await ctx.task(step, { text: 'x'.repeat(70000) }), await ctx.task(step, { text: 'b' })];
}
)";

void iterate_on(TestRun& run) {
  run.iterate();
  for (const auto* effect : {"t1", "t2"}) {
    run.post(effect, R"({"done":true})");
    run.iterate();
  }
}

/// A home on the real disk, with a run that went through its process.
struct Original {
  Original() {
    workspace.runs().make_dir("r");
    copy_tree(whole.dir(), *workspace.runs().open_dir("r"), "");
  }
  Backup backup(const std::string& dest, const std::vector<std::string>& runs = {}) {
    return backup_home(workspace, {.dest = folder / dest, .runs = runs, .verify = true},
                       world.clock, world.random);
  }
  TestRun run() { return {world, workspace.runs().open_dir("r")}; }
  TestRun copy(const std::string& dest) {
    return {world, open_real_dir(folder / (dest + "/runs/r"), false)};
  }

  HomeFolder folder;
  World world;
  TestRun whole = [this] {
    TestRun made(world, kProcess);
    iterate_on(made);
    return made;
  }();
  Workspace workspace{{.home = folder / "home", .working_dir = "/"}, true};
};

TEST_CASE("A copy made at any prefix of a journal is the run at that prefix, and goes on like it") {
  Original original;
  const auto commits = original.whole.commits();
  REQUIRE(commits > 4);
  for (auto left = commits; left > 0; --left) {
    auto run = original.run();
    cut_run(run.dir(), left);
    const auto dest = "copy-" + std::to_string(left);
    const auto backup = original.backup(dest);
    CHECK(backup.runs == 1);
    CHECK(backup.damaged.empty());
    CHECK(backup.problems.empty());
    auto copy = original.copy(dest);
    CHECK(copy.commits() == left);
    CHECK(copy.pending() == run.pending());
    copy.check_replay();
    iterate_on(copy);
    CHECK(copy.end() == original.whole.end());
    CHECK(copy.decisions() == original.whole.decisions());
  }
}

TEST_CASE("What is derived is made anew, and the index and locks are left out") {
  Original original;
  original.folder.write("home/runs/r/state/state.json", "lies");
  original.folder.write("home/runs/r/run.json", "lies");
  original.folder.write("home/runs/r/run.lock", "");
  original.folder.write("home/runs/r/tasks/t1/stdout.log", "said");
  original.folder.write("home/runs/r/tasks/t1/artifacts/a/b", "made");
  original.folder.write("home/runs/.new-01/x", "unfinished");
  original.folder.write("home/index.db", "derived");
  original.folder.write("home/index.db-wal", "derived");
  original.folder.write("home/config.json", "{}");
  original.folder.write("home/logs/r.jsonl", "log");
  original.folder.write("home/agents/a/HEARTBEAT.md", "beat");
  original.backup("copy");
  const auto at = [&](const std::string& path) { return original.folder.read("copy/" + path); };
  CHECK(at("runs/r/run.json").find("\"runId\"") != std::string::npos);
  CHECK(at("runs/r/state/state.json") != "lies");
  CHECK(at("runs/r/tasks/t1/stdout.log") == "said");
  CHECK(at("runs/r/tasks/t1/artifacts/a/b") == "made");
  CHECK(at("config.json") == "{}");
  CHECK(at("logs/r.jsonl") == "log");
  CHECK(at("agents/a/HEARTBEAT.md") == "beat");
  for (const auto* path : {"index.db", "index.db-wal", "runs/r/run.lock", "runs/.new-01"}) {
    CHECK_FALSE(std::filesystem::exists(original.folder / (std::string("copy/") + path)));
  }
}

TEST_CASE("A torn tail is not copied, and a copy that is cut later is told from an older one") {
  Original original;
  const auto segment = std::string("home/runs/r") + kSegment;
  const auto whole = original.folder.read(segment);
  original.folder.write(segment, whole + "{\"seq\":99,\"ty");
  CHECK(original.backup("copy").damaged.empty());
  CHECK(original.folder.read(std::string("copy/runs/r") + kSegment) == whole);

  const auto last_line = whole.rfind('\n', whole.size() - 2) + 1;
  original.folder.write(std::string("copy/runs/r") + kSegment, whole.substr(0, last_line));
  CHECK(code_of([&] { original.copy("copy").state(); }) == "JOURNAL_RECORDS_MISSING");
}

TEST_CASE("A damaged run is copied as it is and named, and the others are whole") {
  Original original;
  original.workspace.runs().make_dir("s");
  copy_tree(original.whole.dir(), *original.workspace.runs().open_dir("s"), "");
  const auto segment = std::string("home/runs/r") + kSegment;
  auto bytes = original.folder.read(segment);
  bytes[bytes.size() / 2] ^= 1;
  original.folder.write(segment, bytes);
  const auto backup = original.backup("copy");
  CHECK(backup.runs == 1);
  REQUIRE(backup.damaged.size() == 1);
  CHECK(backup.damaged[0].run == "r");
  CHECK(original.folder.read(std::string("copy/runs/r") + kSegment) == bytes);
}

TEST_CASE("A missing blob is found in the copy") {
  Original original;
  std::filesystem::remove_all(original.folder / "home/runs/r/blobs");
  const auto backup = original.backup("copy");
  REQUIRE_FALSE(backup.problems.empty());
  CHECK(backup.problems[0].where.starts_with("r/blobs/"));
}

TEST_CASE("Links are left out and named, wherever they lead") {
  Original original;
  std::filesystem::create_symlink("/etc/passwd", original.folder / "home/link");
  std::filesystem::create_symlink("/etc", original.folder / "home/runs/r/blobs/link");
  CHECK(original.backup("copy").left_out.size() == 2);
}

TEST_CASE("A backup is a new folder outside of the home, or none at all") {
  Original original;
  original.folder.write("taken/x", "");
  CHECK(code_of([&] { original.backup("taken"); }) == "DEST_EXISTS");
  CHECK(code_of([&] { original.backup("home/copy"); }) == "INVALID_ARGUMENT");
  CHECK(code_of([&] { original.backup("copy", {"nobody"}); }) == "RUN_NOT_FOUND");
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(original.folder / "")) {
    names.push_back(entry.path().filename());
  }
  std::ranges::sort(names);
  CHECK(names == std::vector<std::string>{"home", "taken"});
}

}  // namespace
}  // namespace reprise::test
