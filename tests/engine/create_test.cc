// Creating runs: whole or not at all, pinned, refused with file and line.
#include <unistd.h>

#include <catch2/catch.hpp>

#include "engine/mend.h"
#include "engine/signal.h"
#include "engine/stop.h"
#include "journal/error.h"
#include "processes/checklist/checklist.h"
#include "tests/engine/run_fixture.h"
#include "tests/fakes/fault_files.h"
#include "tests/journal/temp_dir.h"

namespace reprise::test {
namespace {

using SourceTexts = std::map<std::string, std::string>;

struct Creating {
  World world{{checklist_process()}};

  CreatedRun operator()(const CreateRequest& request, const SourceTexts& sources = {}) {
    const auto read = [&](const std::string& path) -> std::optional<std::string> {
      const auto found = sources.find(path);
      return found == sources.end() ? std::nullopt : std::optional(found->second);
    };
    return create_run(world.runs.get(), "/home/runs", world.context, read, request);
  }
};

CreateRequest script_request(const std::string& entry, const std::string& export_name = {}) {
  CreateRequest request;
  request.process.entry = entry;
  request.process.export_name = export_name;
  request.inputs = parse_value("{}", "inputs");
  return request;
}

CreateRequest checklist_request(const std::string& run_id,
                                const std::string& inputs = R"({"steps":["a"]})") {
  CreateRequest request;
  request.run_id = run_id;
  request.process.built_in = "checklist";
  request.inputs = parse_value(inputs, "inputs");
  return request;
}

template <typename Action>
Error error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  return {Exit::kOk, "", ""};
}

TEST_CASE("A script is pinned with everything that it imports, below their common folder") {
  Creating create;
  const SourceTexts sources = {
      {"/srv/app/flows/main.js",
       "import { a } from '../lib/a.js'; export async function process() { return [a, await "
       "import('./late.mjs').then(m => m.b)]; }"},
      {"/srv/app/lib/a.js", "import { c } from './c.js'; export const a = c + 1;"},
      {"/srv/app/lib/c.js", "export const c = 1;"},
      {"/srv/app/flows/late.mjs", "export const b = 'late';"}};
  const auto created = create(script_request("/srv/app/flows/main.js"), sources);
  CHECK(created.entry == "flows/main.js#process");
  CHECK(created.process_id == "main");
  const auto run = create.world.runs->open_dir(created.run_id);
  CHECK(read_file(*run, "process/lib/c.js") == "export const c = 1;");
  iterate(*run, create.world.context);
  JsonReader reader;
  const auto state = read_state(*run).state;
  CHECK(load_end(*run, state, reader)->output == R"([2,"late"])");
}

TEST_CASE("An import that the sandbox refuses is named with file, line, column and the way out") {
  Creating create;
  const auto error = error_of([&] {
    create(script_request("/s/main.js"),
           {{"/s/main.js", "\n\nimport fs from 'node:fs';\nexport async function process() {}"}});
  });
  CHECK(error.code() == "IMPORT_REFUSED");
  CHECK(error.exit() == Exit::kUsage);
  CHECK(error.message().starts_with("/s/main.js:3:"));
  CHECK(error.message().find("node:fs") != std::string::npos);
  CHECK(error.hint().find("task") != std::string::npos);
  CHECK(create.world.runs->list("").empty());
}

TEST_CASE("A missing file, a missing import and a missing export are refused and leave nothing") {
  Creating create;
  CHECK(error_of([&] { create(script_request("/s/none.js")); }).code() == "ENTRY_NOT_FOUND");
  const SourceTexts lost = {
      {"/s/main.js", "import './lost.js';\nexport async function process() {}"}};
  CHECK(error_of([&] { create(script_request("/s/main.js"), lost); }).code() == "IMPORT_NOT_FOUND");
  const SourceTexts other = {{"/s/main.js", "export const answer = 42;"}};
  const auto error = error_of([&] { create(script_request("/s/main.js", "run"), other); });
  CHECK(error.code() == "SCRIPT_INVALID");
  CHECK(error.message().find("answer") != std::string::npos);
  CHECK(create.world.runs->list("").empty());
}

TEST_CASE("A syntax error is named with file, line and column") {
  Creating create;
  const auto error = error_of([&] {
    create(script_request("/s/main.js"),
           {{"/s/main.js", "export async function process() {\n  let = ;\n}"}});
  });
  CHECK(error.code() == "SCRIPT_INVALID");
  CHECK(error.message().find("main.js:2:") != std::string::npos);
}

TEST_CASE("A run id that exists is a conflict; with if_absent the same run is success") {
  Creating create;
  CHECK(create(checklist_request("nightly")).created);
  CHECK(error_of([&] { create(checklist_request("nightly")); }).code() == "RUN_EXISTS");
  auto again = checklist_request("nightly", R"({ "steps": ["a"] })");
  again.if_absent = true;
  CHECK_FALSE(create(again).created);
  again.inputs = parse_value(R"({"steps":["b"]})", "inputs");
  const auto error = error_of([&] { create(again); });
  CHECK(error.exit() == Exit::kConflict);
  CHECK(error.message().find("other inputs") != std::string::npos);
}

TEST_CASE("With if_absent the same sources are the same process, wherever they lie") {
  Creating create;
  const std::string source = "export async function process() { return 1; }";
  auto request = script_request("/checkout-1/main.js");
  request.run_id = "nightly";
  request.if_absent = true;
  CHECK(create(request, {{"/checkout-1/main.js", source}}).created);
  request.process.entry = "/checkout-2/main.js";
  CHECK_FALSE(create(request, {{"/checkout-2/main.js", source}}).created);
  const auto error = error_of([&] {
    create(request, {{"/checkout-2/main.js", source + " // new"}});
  });
  CHECK(error.code() == "RUN_EXISTS");
  CHECK(error.message().find("another process") != std::string::npos);
}

TEST_CASE("Ids that could leave the folder of runs are refused") {
  Creating create;
  for (const auto* id : {"..", ".hidden", "a/b", "../x", "a b", "-x"}) {
    INFO(id);
    CHECK(error_of([&] { create(checklist_request(id)); }).code() == "INVALID_RUN_ID");
  }
  CHECK(error_of([&] { create(checklist_request(std::string(129, 'a'))); }).code() ==
        "INVALID_RUN_ID");
  CHECK(create(checklist_request(std::string(128, 'a'))).created);
}

TEST_CASE("Inputs that a built-in process refuses create nothing") {
  Creating create;
  CHECK(error_of([&] { create(checklist_request("x", "{}")); }).code() == "INPUTS_REFUSED");
  auto unknown = checklist_request("x");
  unknown.process.built_in = "none";
  CHECK(error_of([&] { create(unknown); }).code() == "PROCESS_UNKNOWN");
  CHECK(create.world.runs->list("").empty());
}

TEST_CASE("A bare run cannot be iterated until it is given a process") {
  Creating create;
  auto request = checklist_request("bare", R"({"steps":["a"]})");
  request.process = {};
  create(request);
  const auto run = create.world.runs->open_dir("bare");
  CHECK(error_of([&] { iterate(*run, create.world.context); }).code() == "RUN_HAS_NO_PROCESS");
  create.world.clock.advance(1000);
  ProcessChoice choice;
  choice.entry = "/s/main.js";
  const auto read = [](const std::string&) -> std::optional<std::string> {
    return "export async function process(inputs) { return [inputs.steps, Date.now()]; }";
  };
  assign_process(*run, create.world.context, read, {.process = choice});
  iterate(*run, create.world.context);
  JsonReader reader;
  CHECK(load_end(*run, read_state(*run).state, reader)->output ==
        "[[\"a\"]," + std::to_string(kStartMs + 1000) + "]");
  CHECK_FALSE(assign_process(*run, create.world.context, read, {.process = choice}).assigned);
}

TEST_CASE("A bare run that was halted takes no process, and its iterate has nothing to do") {
  Creating create;
  auto request = checklist_request("bare");
  request.process = {};
  create(request);
  const auto run = create.world.runs->open_dir("bare");
  halt_run(*run, create.world.context, "not needed", false);
  ProcessChoice choice;
  choice.built_in = "checklist";
  const auto read = [](const std::string&) { return std::nullopt; };
  CHECK(error_of([&] {
          assign_process(*run, create.world.context, read, {.process = choice});
        }).code() == "RUN_ENDED");
  CHECK(iterate(*run, create.world.context).state.status() == RunStatus::kHalted);
}

TEST_CASE("What came to a bare run before its process is given to it after its start") {
  Creating create;
  auto request = checklist_request("bare");
  request.process = {};
  create(request);
  const auto run = create.world.runs->open_dir("bare");
  send_signal(*run, create.world.context, {"early", parse_value("7", "value"), {}, false});
  ProcessChoice choice;
  choice.entry = "/s/main.js";
  const auto read = [](const std::string&) -> std::optional<std::string> {
    return "export async function process(inputs, ctx) { return ctx.signal('early'); }";
  };
  assign_process(*run, create.world.context, read, {.process = choice});
  iterate(*run, create.world.context);
  JsonReader reader;
  CHECK(load_end(*run, read_state(*run).state, reader)->output == "7");
}

TEST_CASE(
    "A source that changed is noted, also behind a link; one that is gone is none's business") {
  const TempDir folder;
  const auto dir = folder.open();
  const std::string source = "export async function process(i, ctx) { await ctx.signal('x'); }";
  write_new_file(*dir, "real.js", source, false);
  REQUIRE(symlink("real.js", (folder.path() + "/main.js").c_str()) == 0);
  Creating create;
  const auto created =
      create(script_request(folder.path() + "/main.js"), {{folder.path() + "/main.js", source}});
  const auto run = create.world.runs->open_dir(created.run_id);
  CHECK(iterate(*run, create.world.context).notes.empty());
  replace_file(*dir, "real.js", source + "// edited", false);
  CHECK(iterate(*run, create.world.context).notes.size() == 1);
  dir->remove("real.js");
  CHECK(iterate(*run, create.world.context).notes.empty());
}

TEST_CASE("Everything derived can be deleted and is rebuilt the same") {
  Creating create;
  create(checklist_request("run"));
  const auto run = create.world.runs->open_dir("run");
  iterate(*run, create.world.context);
  const auto files = [&] {
    return std::vector{read_file(*run, "run.json"), read_file(*run, "inputs.json"),
                       read_file(*run, "tasks/t1/task.json"),
                       read_file(*run, "tasks/t1/input.json")};
  };
  const auto before = files();
  run->remove_tree("tasks");
  run->remove_tree("state");
  run->remove("run.json");
  run->remove("inputs.json");
  rebuild_run(*run, create.world.context);
  CHECK(files() == before);
  // @last is the run whose inputs.json is youngest.
  Faults watched;
  rebuild_run(*with_faults(create.world.runs->open_dir("run"), watched), create.world.context);
  for (const auto& operation : watched.log)
    CHECK_FALSE(operation.starts_with("rename inputs.json"));
  CHECK(verify_run(*run, "run").problems.empty());
}

TEST_CASE("A clock that is behind the journal is refused unless forced") {
  Creating create;
  create(checklist_request("run"));
  const auto run = create.world.runs->open_dir("run");
  create.world.clock.set(kStartMs - int64_t{5} * 60 * 1000 - 1);
  CHECK(error_of([&] { iterate(*run, create.world.context); }).code() == "CLOCK_BEHIND");
  create.world.context.force = true;
  CHECK(iterate(*run, create.world.context).commits == 1);
  CHECK(read_state(*run).state.head.at_ms == kStartMs);
}

TEST_CASE("Five minutes are forgiven, and a simulated run has no clock to be behind of") {
  Creating create;
  auto simulated = checklist_request("simulated");
  simulated.simulated = true;
  create(simulated);
  create(checklist_request("run"));
  create.world.clock.set(kStartMs - int64_t{5} * 60 * 1000);
  CHECK(iterate(*create.world.runs->open_dir("run"), create.world.context).commits == 1);
  create.world.clock.set(kStartMs - 365LL * 24 * 3600 * 1000);
  CHECK(iterate(*create.world.runs->open_dir("simulated"), create.world.context).commits == 1);
}

}  // namespace
}  // namespace reprise::test
