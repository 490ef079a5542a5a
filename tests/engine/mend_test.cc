// What verify finds beyond the journal, and what repair and rebuild leave.
#include "engine/mend.h"

#include <catch2/catch.hpp>

#include "journal/blobs.h"
#include "processes/checklist/checklist.h"
#include "tests/engine/run_fixture.h"

namespace reprise::test {
namespace {

const std::string kSegment = "journal/00000001.jsonl";
const std::string kScript = R"(import { defineTask } from 'reprise';
const step = defineTask('step', () => ({ kind: 'agent' }));
export async function process(inputs, ctx) {
  await ctx.task(step, {});
  return await ctx.task(step, {}, { label: 'second' });
})";

/// A run whose first result is in a blob, and which has a log.
TestRun run_with_files(World& world) {
  TestRun run(world, kScript);
  run.iterate();
  Post post{.effect = {1, {}}};
  post.value = parse_value('"' + std::string(kInlineValueBytes, 'x') + '"', "value");
  post.standard_output = "said\n";
  post_result(run.dir(), world.context, post);
  run.iterate();
  return run;
}

/// "kind where" of each problem.
std::string problems(TestRun& run) {
  std::string text;
  for (const auto& problem : verify_run(run.dir(), "r").problems) {
    CHECK_FALSE(problem.reason.empty());
    CHECK_FALSE(problem.remedy.empty());
    text += (text.empty() ? "" : ", ") + problem.kind + " " + problem.where;
  }
  return text;
}

std::string only_name_in(Dir& run, const std::string& folder) {
  const auto names = run.list(folder);
  REQUIRE(names.size() == 1);
  return folder + "/" + names.front();
}

void overwrite(TestRun& run, const std::string& path, const std::string& bytes) {
  replace_file(run.dir(), path, bytes, false);
}

/// Notes where runs are said to change from.
class Noted final : public Changes {
 public:
  void touch(const std::string&, uint64_t head_seq) override { heads.push_back(head_seq); }
  void remember(const std::string&) override {}

  std::vector<uint64_t> heads;
};

TEST_CASE("A whole run has no problem, and what was verified is counted") {
  World world({checklist_process()});
  auto run = run_with_files(world);
  const auto verdict = verify_run(run.dir(), "r");
  CHECK(verdict.problems.empty());
  CHECK(verdict.blobs == 1);
  CHECK(verdict.modules == 1);
  auto built_in = TestRun::built_in(world, "checklist", R"({"steps":["a"]})");
  CHECK(problems(built_in).empty());
}

TEST_CASE("A run without a process is whole, too, and can be rebuilt") {
  World world;
  CreateRequest request;
  request.run_id = "bare";
  request.inputs = parse_value("{}", "inputs");
  create_run(world.runs.get(), "/home/runs", world.context, {}, request);
  TestRun run(world, world.runs->open_dir("bare"));
  CHECK(problems(run).empty());
  CHECK_FALSE(rebuild_run(run.dir(), world.context).has_process);
  CHECK(run.status() == "created");
}

TEST_CASE("What the journal names and is not there, or has other bytes, is a problem") {
  World world;
  auto run = run_with_files(world);
  const auto blob = only_name_in(run.dir(), "blobs");
  const std::string log = "tasks/t1/stdout.log";
  SECTION("a blob that was changed") {
    overwrite(run, blob, "\"other\"");
    CHECK(problems(run) == "blob " + blob);
  }
  SECTION("a blob and a log that are gone") {
    run.dir().remove(blob);
    run.dir().remove(log);
    CHECK(problems(run) == "blob " + blob + ", log " + log);
  }
  SECTION("a source that was changed") {
    overwrite(run, "process/main.js", kScript + " ");
    CHECK(problems(run) == "process process/");
  }
}

TEST_CASE("A journal in the folder of another run is a problem, a lost or damaged run.json none") {
  World world;
  auto run = run_with_files(world);
  const auto good = *read_file(run.dir(), "run.json");
  overwrite(run, "run.json", "{ no JSON");
  CHECK(problems(run).empty());
  run.dir().remove("run.json");
  CHECK(problems(run).empty());
  overwrite(run, "run.json", R"({"runId":"another"})");
  CHECK(problems(run) == "identity run.json");
  rebuild_run(run.dir(), world.context);
  CHECK(problems(run).empty());
  CHECK(read_file(run.dir(), "run.json") == good);
}

TEST_CASE("Damage of the journal is the one problem that is told, with what can be done") {
  World world;
  auto run = run_with_files(world);
  auto bytes = *read_file(run.dir(), kSegment);
  const auto flip = [&](size_t at) {
    auto bad = bytes;
    bad[at] = static_cast<char>(bad[at] ^ 1);
    overwrite(run, kSegment, bad);
    const auto verdict = verify_run(run.dir(), "r");
    REQUIRE(verdict.problems.size() == 1);
    CHECK(verdict.problems[0].kind == "corrupt");
    CHECK(verdict.problems[0].where == kSegment);
    return verdict.problems[0].remedy;
  };
  CHECK(flip(10) == "reprise run:delete r --yes --force");
  CHECK(flip(bytes.size() - 40) == "reprise run:repair-journal r --accept-loss");
}

TEST_CASE("A repair drops what cannot be kept, tells the index before, and changes nothing twice") {
  World world;
  auto run = run_with_files(world);
  auto context = world.context;
  Noted noted;
  context.changes = &noted;
  const auto whole = run.state().head.seq;
  const auto places = run.types();
  auto bytes = *read_file(run.dir(), kSegment);
  bytes[bytes.size() - 40] = static_cast<char>(bytes[bytes.size() - 40] ^ 1);
  overwrite(run, kSegment, bytes);
  CHECK(code_of([&] { repair_run(run.dir(), context, false, false); }) == "LOSS_NOT_ACCEPTED");
  CHECK(read_file(run.dir(), kSegment) == bytes);

  noted.heads.clear();
  CHECK(repair_run(run.dir(), context, true, true).dropped_records == 0);
  CHECK(noted.heads.empty());
  CHECK(read_file(run.dir(), kSegment) == bytes);

  CHECK(repair_run(run.dir(), context, true, false).needed);
  CHECK(noted.heads == std::vector<uint64_t>{whole - 1});
  CHECK(problems(run).empty());
  CHECK(run.state().head.seq == whole - 1);
  CHECK(run.status() == "ready");

  CHECK_FALSE(repair_run(run.dir(), context, true, false).needed);
  run.iterate();
  CHECK(run.types() == places);
  CHECK(run.pending() == "t2:second");
}

TEST_CASE("Everything that is derived comes back as it was") {
  World world({checklist_process()});
  auto run = TestRun::built_in(world, "checklist", R"({"steps":["a","b"]})");
  run.iterate();
  run.post("t1", "{}");
  run.iterate();
  rebuild_run(run.dir(), world.context);
  const std::vector<std::string> files{"run.json", "inputs.json", "state/state.json",
                                       "tasks/t2/task.json"};
  std::vector<std::string> good;
  for (const auto& file : files) good.push_back(*read_file(run.dir(), file));
  for (const bool gone : {true, false}) {
    for (const auto& file : files) {
      gone ? static_cast<void>(run.dir().remove(file)) : overwrite(run, file, "{}");
    }
    rebuild_run(run.dir(), world.context);
    // A file of a task that is there is taken for written.
    const auto restored = files.size() - (gone ? 0 : 1);
    for (size_t i = 0; i < restored; ++i) CHECK(read_file(run.dir(), files[i]) == good[i]);
  }
}

}  // namespace
}  // namespace reprise::test
