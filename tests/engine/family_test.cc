// Runs that ask for runs.
#include "engine/family.h"

#include <catch2/catch.hpp>

#include "journal/run_dir.h"
#include "tests/engine/folder_fixture.h"

namespace reprise::test {
namespace {

TEST_CASE("A child's id is its parent's and the effect's, cut with a digest where it is too long") {
  CHECK(child_run_id("r", 3) == "r.t3");
  CHECK(child_run_id("r.t3", 12) == "r.t3.t12");
  const std::string fits(128 - 3, 'a');
  CHECK(child_run_id(fits, 1) == fits + ".t1");
  const auto cut = child_run_id(fits, 10);
  CHECK(cut.size() == 128);
  CHECK(valid_run_id(cut));
  CHECK(cut.ends_with(".t10"));
  CHECK(child_run_id(fits + "b", 10) != child_run_id(fits + "c", 10));
  CHECK(child_run_id(fits + "b", 10) != child_run_id(fits + "b", 11));
  CHECK(child_run_id(cut, 7).size() == 128);
  CHECK(child_run_id(std::string(128, 'z'), 999'999'999'999'999'999).size() == 128);
}

TEST_CASE("A run whose id is as long as ids may be has children and grandchildren all the same") {
  Folder folder;
  const std::string id(128, 'r');
  auto parent = folder.create(id, kGrandchild);
  for (int round = 0; round < 3; ++round) folder.iterate_all(id);
  const auto child = child_run_id(id, 1);
  const auto grandchild = child_run_id(child, 1);
  CHECK(folder.run(child).state().parent == id);
  CHECK(folder.run(grandchild).state().parent == child);
  folder.run(grandchild).post("t1", R"({"exitCode":0})");
  folder.iterate_all(id);
  CHECK(parent.status() == "completed");
}

TEST_CASE("A child is made after its parent's commit, and knows who asked for it") {
  Folder folder;
  const auto labels = R"(,"definition":{"kind":"run","run":{"labels":{"team":"web"}}})";
  auto parent =
      folder.create("r", R"({"ask":[)" + ask("builtin:checklist", kOneStep, labels) + "]}", true);
  folder.iterate("r");
  auto child = folder.run("r.t1");
  CHECK(child.state().parent == "r");
  CHECK(child.state().parent_effect == 1);
  CHECK(child.state().simulated);
  CHECK(child.status() == "created");
  JsonReader reader;
  CHECK(load_origin(child.dir(), child.state(), reader).labels == R"({"team":"web"})");
  const auto text = read_file(child.dir(), "run.json").value();
  CHECK(text.find(R"("parent":{"runId":"r","effectId":"t1"})") != std::string::npos);
  const auto before = child.types();
  CHECK(folder.iterate("r").commits == 0);
  CHECK(child.types() == before);
}

TEST_CASE("The end of a child is its parent's result, whichever is iterated first") {
  const bool child_tells = GENERATE(true, false);
  Folder folder;
  auto parent = folder.create("r", kChild);
  folder.iterate("r");
  auto child = folder.run("r.t1");
  folder.iterate("r.t1");
  child.post("t1", R"({"exitCode":0})");
  if (child_tells) {
    folder.iterate("r.t1");
    CHECK(parent.status() == "ready");
  } else {
    child.iterate();  // and nobody told the parent
    CHECK(parent.status() == "waiting");
  }
  folder.iterate("r");
  CHECK(parent.end().find(R"("ok":true)") != std::string::npos);
  CHECK(parent.types() == "RUN_CREATED EFFECT_REQUESTED EFFECT_RESOLVED RUN_COMPLETED");
  folder.iterate("r.t1");
  folder.iterate("r");
  CHECK(parent.types() == "RUN_CREATED EFFECT_REQUESTED EFFECT_RESOLVED RUN_COMPLETED");
  CHECK(parent.state().orphans.empty());
  parent.check_replay();
}

TEST_CASE("A child that failed, was halted or cancelled is an error of its name") {
  Folder folder;
  auto parent = folder.create("r", R"({"ask":[)" + ask("builtin:checklist", kOneStep) + "," +
                                       ask("builtin:checklist", kOneStep) + "," +
                                       ask("builtin:checklist", kOneStep) + "]}");
  folder.iterate("r");
  folder.iterate("r.t1");
  folder.run("r.t1").post("t1", R"({"exitCode":2})");
  folder.iterate("r.t1");
  halt_run(folder.run("r.t2").dir(), folder.world.context, "wrong branch", false);
  folder.cancel("r.t3");
  folder.iterate("r");
  CHECK(parent.end() ==
        R"([{"data":{"error":{"message":"step 1 of 1, \"make\", failed with exit code 2",)"
        R"("name":"StepFailed"},"runId":"r.t1"},"name":"ChildRunFailed"},)"
        R"({"data":{"reason":"wrong branch","runId":"r.t2"},"name":"ChildRunHalted"},)"
        R"({"data":{"reason":"enough","runId":"r.t3"},"name":"ChildRunCancelled"}])");
}

TEST_CASE("A child that can never be made is an error; what it was is told") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {ask("builtin:nobody", "{}"), "PROCESS_UNKNOWN"},
      {ask("builtin:checklist", "{}"), "INPUTS_REFUSED"},
      {ask("child.js", "{}"), "CHILD_INVALID"},
      {ask("", "{}"), "CHILD_INVALID"},
      {ask("/source/none.js", "{}"), "ENTRY_NOT_FOUND"},
      {ask("/source/bad.js", "{}"), "IMPORT_REFUSED"}};
  for (const auto& [wanted, code] : cases) {
    INFO(wanted);
    Folder folder(Sources{{"/source/bad.js", "import fs from 'fs'; export function process() {}"}});
    auto parent = folder.create("r", R"({"ask":[)" + wanted + "]}");
    folder.iterate("r");
    CHECK(parent.end() == R"([{"data":{"code":")" + code + R"("},"name":"ChildRunNotCreated"}])");
    CHECK_FALSE(folder.exists("r.t1"));
    CHECK(parent.state().orphans.empty());
  }
}

TEST_CASE("A run that has the child's id and is no child of this run is left alone") {
  Folder folder;
  auto other = folder.create("r.t1", R"({"ask":[{"kind":"agent"}]})");
  auto parent = folder.create("r", kChild);
  folder.iterate("r");
  CHECK(parent.end() == R"([{"data":{"code":"RUN_EXISTS"},"name":"ChildRunNotCreated"}])");
  CHECK(other.types() == "RUN_CREATED");
}

TEST_CASE("A script is a child, from an absolute path") {
  Folder folder(
      Sources{{"/source/child.js", "export async function go(inputs) { return inputs.n + 1; }"}});
  auto parent = folder.create("r", R"({"ask":[)" + ask("/source/child.js#go", R"({"n":1})") + "]}");
  folder.iterate("r");
  folder.iterate("r.t1");
  folder.iterate("r");
  CHECK(parent.end() == "[2]");
}

TEST_CASE("A child's module is the parent's pinned one, else that of the recorded folder") {
  const std::string returns = "export const go = async ({ n }) => n + ";
  Folder folder(Sources{{"/source/lib/main.js",
                         "import '../child.js';\n"
                         "export async function process(inputs, ctx) {\n"
                         "  const run = (entry) => ctx.run(entry, { n: 1 });\n"
                         "  return [await run('../child.js#go'), await run('./other.js#go')];\n"
                         "}"},
                        {"/source/child.js", returns + "1;"},
                        {"/source/lib/other.js", returns + "10;"}});
  auto parent = folder.create_script("r", "/source/lib/main.js");
  folder.edit("/source/child.js", returns + "2;");
  folder.edit("/source/lib/other.js", returns + "20;");
  for (int round = 0; round < 3; ++round) folder.iterate_all("r");
  CHECK(parent.end() == "[2,21]");
  parent.check_replay();
}

TEST_CASE("A script that awaits a child is told when it is cancelled, and so is the child") {
  Folder folder(Sources{{"/source/main.js",
                         "export async function process(inputs, ctx) {\n"
                         "  const failed = (error) => [error.name, error.reason];\n"
                         "  return await ctx.run('builtin:checklist', { steps: ['a'] })\n"
                         "    .catch(failed);\n"
                         "}"}});
  auto parent = folder.create_script("r", "/source/main.js");
  folder.iterate("r");
  folder.iterate("r.t1");
  folder.cancel("r");
  CHECK(folder.iterate_all("r") == "r.t1 ");
  CHECK(parent.end() == R"(["RunCancelledError","enough"])");
  CHECK(parent.status() == "completed");
  CHECK(folder.run("r.t1").status() == "cancelled");
  parent.check_replay();
}

TEST_CASE("Cancelling a run cancels its children and theirs, unless they are detached") {
  Folder folder;
  const auto detached = ask("builtin:checklist", kOneStep, R"(,"options":{"detached":true})");
  folder.create("r", R"({"ask":[)" + ask("builtin:family", kChild) + "," + detached + "]}");
  folder.iterate_all("r");
  CHECK(folder.iterate_all("r") == "r.t1 r.t2 ");
  CHECK(folder.iterate_all("r") == "r.t1.t1 ");
  folder.cancel("r");
  CHECK(folder.iterate_all("r") == "r.t1.t1 r.t1 ");
  for (const auto* id : {"r", "r.t1", "r.t1.t1"}) CHECK(folder.run(id).status() == "cancelled");
  CHECK(folder.run("r.t2").status() == "waiting");
  CHECK(folder.run("r.t2").types() == "RUN_CREATED EFFECT_REQUESTED");
}

TEST_CASE("A child whose effect is cancelled or posted by hand is cancelled") {
  Folder folder;
  auto parent = folder.create("r", R"({"ask":[)" + ask("builtin:checklist", kOneStep) + "," +
                                       ask("builtin:checklist", kOneStep) + "]}");
  folder.iterate("r");
  folder.iterate("r.t1");
  cancel_effect(parent.dir(), folder.world.context, {1, {}}, "no", false);
  parent.post("t2", "7");
  folder.iterate("r");
  CHECK(parent.end() == R"(["cancelled",7])");
  CHECK(folder.run("r.t1").status() == "ready");
  CHECK(folder.run("r.t1").state().cancel_seq != 0);
  CHECK(folder.run("r.t2").status() == "cancelled");
  folder.iterate("r.t1");
  CHECK(folder.run("r.t1").status() == "cancelled");
  const auto types = folder.run("r.t1").types();
  folder.iterate("r");
  CHECK(folder.run("r.t1").types() == types);
}

TEST_CASE("Output that breaks the parent's schema is an error, whichever is iterated first") {
  const bool child_tells = GENERATE(true, false);
  const bool forced = GENERATE(false, true);  // an iterate's --force is about the clock alone
  Folder folder;
  folder.world.context.force = forced;
  const auto schema = R"({"properties":{"ok":{"type":"string"}}})";
  const auto more = std::string(R"(,"options":{"outputSchema":true},"definition":{"kind":"run",)") +
                    R"("outputSchema":)" + schema + "}";
  auto parent = folder.create("r", R"({"ask":[)" + ask("builtin:checklist", kOneStep, more) + "]}");
  folder.iterate("r");
  folder.iterate("r.t1");
  auto child = folder.run("r.t1");
  child.post("t1", R"({"exitCode":0})");
  if (child_tells) {
    CHECK(folder.iterate("r.t1").notes.empty());
  } else {
    child.iterate();
  }
  CHECK(folder.iterate("r").notes.empty());
  CHECK(parent.status() == "completed");
  CHECK(parent.end().find("OutputInvalid") != std::string::npos);
  CHECK(parent.end().find(R"("pointer":"/ok")") != std::string::npos);
  const auto types = parent.types();
  folder.iterate("r.t1");
  folder.iterate("r");
  CHECK(parent.types() == types);
}

TEST_CASE("A child that takes longer than its parent's timeout is cancelled") {
  Folder folder;
  auto parent = folder.create(
      "r", R"({"ask":[)" + ask("builtin:checklist", kOneStep, R"(,"options":{"timeoutMs":1000})") +
               "]}");
  folder.iterate("r");
  folder.iterate("r.t1");
  folder.world.clock.advance(999);
  folder.iterate("r");
  CHECK(parent.status() == "waiting");
  CHECK(folder.run("r.t1").state().cancel_seq == 0);
  folder.world.clock.advance(1);
  folder.iterate("r");
  CHECK(parent.end().find("TimeoutError") != std::string::npos);
  CHECK(folder.run("r.t1").state().cancel_seq != 0);
  folder.iterate("r.t1");
  CHECK(folder.run("r.t1").status() == "cancelled");
  const auto types = parent.types();
  folder.iterate("r");
  CHECK(parent.types() == types);
}

TEST_CASE("A child finds out by itself that nobody waits for it any longer") {
  Folder folder;
  auto parent = folder.create("r", kChild);
  folder.iterate("r");
  folder.iterate("r.t1");
  folder.cancel("r");
  parent.iterate();  // and nobody told the child
  folder.iterate("r.t1");
  CHECK(folder.run("r.t1").status() == "cancelled");
}

TEST_CASE("A paused run makes no children and passes nothing on") {
  Folder folder;
  auto parent = folder.create("r", kChild);
  parent.iterate();
  pause_run(parent.dir(), folder.world.context, "", false);
  CHECK(folder.iterate("r").commits == 0);
  CHECK_FALSE(folder.exists("r.t1"));
  resume_run(parent.dir(), folder.world.context, "", false);
  folder.iterate("r");
  CHECK(folder.exists("r.t1"));
}

TEST_CASE("What another run's lock keeps away is a note, and done by the next iterate") {
  Folder folder;
  auto parent = folder.create("r", kChild);
  folder.iterate("r");
  auto child = folder.run("r.t1");
  child.iterate();
  child.post("t1", R"({"exitCode":0})");
  child.iterate();
  folder.world.context.lock_timeout_ms = 0;
  {
    const auto lock = lock_run(child.dir(), 0, "somebody");
    const auto notes = folder.iterate("r").notes;
    REQUIRE(notes.size() == 1);
    CHECK(notes[0].starts_with("run r.t1: "));
    CHECK(parent.status() == "waiting");
  }
  CHECK(folder.iterate("r").notes.empty());
  CHECK(parent.status() == "completed");
}

TEST_CASE("A copy under another name leaves the children of the original alone") {
  Folder folder;
  auto parent = folder.create("r", kChild);
  parent.iterate();
  folder.world.runs->make_dir("copy");
  copy_tree(parent.dir(), *folder.world.runs->open_dir("copy"), "");
  folder.iterate("copy");
  CHECK_FALSE(folder.exists("r.t1"));
}

TEST_CASE("A process that asks for impossible children for ever does not keep a command") {
  Folder folder;
  std::string asks = ask("builtin:nobody", "{}");
  for (int i = 1; i < 200; ++i) asks += "," + ask("builtin:nobody", "{}");
  auto parent = folder.create("r", R"({"ask":[)" + asks + "]}");
  const auto iteration = folder.iterate("r");
  CHECK(iteration.commits == 2);
  CHECK(parent.status() == "completed");
}

TEST_CASE("Descendants are iterated depth first, only those that have something new") {
  Folder folder;
  auto parent = folder.create("r", kGrandchild);
  CHECK(folder.iterate_all("r").empty());
  CHECK(folder.iterate_all("r") == "r.t1 ");
  CHECK(folder.iterate_all("r") == "r.t1.t1 ");
  CHECK(folder.iterate_all("r").empty());
  folder.run("r.t1.t1").post("t1", R"({"exitCode":0})");
  CHECK(folder.iterate_all("r") == "r.t1.t1 r.t1 ");
  CHECK(parent.status() == "completed");
}

}  // namespace
}  // namespace reprise::test
