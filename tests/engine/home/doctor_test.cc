// What the doctor finds.
#include "engine/home/doctor.h"

#include <sys/stat.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>

#include "engine/home/init.h"
#include "journal/error.h"
#include "tests/engine/home/home_fixture.h"

namespace reprise::test {
namespace {

struct Patient {
  HomeFolder folder;
  std::string home = folder / "home";
  TrustStore trust{folder / "state"};
  WallClock wall;
  FixedClock clock{wall.now_ms()};
  std::vector<ModuleQuery> modules = {};
  std::map<std::string, std::string> variables = {};
  std::vector<std::string> behind = {};
  bool more_behind = false;

  HomeQuery query{.home = home, .working_dir = "/"};

  Patient() { init_home(home, false); }
  Workspace workspace() { return {query, false}; }
  Findings examine() {
    auto place = workspace();
    Checkup checkup{
        .workspace = place,
        .sources = {.user_file = {},
                    .home_file = home + "/config.json",
                    .environment = [this](const std::string& name) -> std::optional<std::string> {
                      const auto found = variables.find(name);
                      if (found == variables.end()) return std::nullopt;
                      return found->second;
                    }},
        .trust = trust,
        .clock = clock,
        .search_path = folder / "bin",
        .modules = modules,
        .behind = behind,
        .more_behind = more_behind};
    return examine_home(checkup);
  }
  /// "CHECK: WHAT" of all problems and warnings but that of the sandbox.
  std::vector<std::string> complaints() {
    std::vector<std::string> found;
    for (const auto& finding : examine()) {
      if (finding.health == Health::kOk || finding.check == "sandbox") continue;
      CHECK_FALSE(finding.remedy.empty());
      found.push_back(finding.check + ": " + finding.what);
    }
    return found;
  }
  std::string complaint() {
    const auto all = complaints();
    REQUIRE(all.size() == 1);
    return all[0];
  }
  void config(const std::string& text) { folder.write("home/config.json", text); }
};

TEST_CASE("Nothing is wrong with a new home") {
  Patient patient;
  CHECK(patient.complaints().empty());
}

TEST_CASE("Runs with older rules are named, the first of many") {
  Patient patient;
  patient.behind = {"a", "b"};
  CHECK(patient.complaint() == "rules: open runs go on by older rules than new ones: a, b");
  for (const auto* name : {"c", "d", "e", "f", "g"}) patient.behind.emplace_back(name);
  CHECK(patient.complaint().ends_with("a, b, c, d, e and 2 more"));
  patient.more_behind = true;
  CHECK(patient.complaint().ends_with("a, b, c, d, e and 2 or more"));
}

TEST_CASE("A home that is not there, or open to others, is told") {
  Patient patient;
  REQUIRE(chmod(patient.home.c_str(), 0755) == 0);
  CHECK(patient.complaint().starts_with("modes: everybody may look into"));
  REQUIRE(chmod(patient.home.c_str(), 0777) == 0);
  CHECK(patient.complaint().starts_with("modes: everybody may write to"));
  std::filesystem::remove_all(patient.home);
  CHECK(patient.complaint().starts_with("home: there is no home at"));
}

TEST_CASE("A configuration that cannot be read does not keep the doctor from the rest") {
  Patient patient;
  patient.config("{\"drvie\":{}}");
  CHECK(patient.complaint().find("/drvie: there is no such key") != std::string::npos);
  CHECK(patient.examine().size() > 5);
}

TEST_CASE("Vectors that are wanted and that no executor makes are told") {
  Patient patient;
  const std::string wanted = R"({"memory":{"embedding":{"enabled":true}})";
  patient.config(wanted + "}");
  CHECK(patient.complaint().starts_with("executors: memory.embedding.enabled, and no executor"));
  patient.config(wanted + R"(,"executors":{"v":{"type":"mock"}},)"
                          R"("match":[{"kind":"embedding","executor":"v"}]})");
  for (const auto& complaint : patient.complaints()) CHECK(complaint.starts_with("trust"));
}

TEST_CASE("Programs and keys of executors are looked for and not touched") {
  Patient patient;
  patient.config(R"({"executors":{"a":{"type":"command","command":["agent"]}}})");
  CHECK(patient.complaint() == "executors: executor a (command): there is no program agent");
  const auto program = patient.folder.write("bin/agent", "");
  CHECK(patient.complaints().size() == 1);  // it cannot be executed
  REQUIRE(chmod(program.c_str(), 0700) == 0);
  CHECK(patient.complaints().empty());

  const auto endpoint = [&](const std::string& key) {
    patient.config(R"({"executors":{"o":{"type":"openai","url":"https://h/v1","apiKey":)" + key +
                   "}}}");
  };
  endpoint(R"({"env":"THE_KEY"})");
  CHECK(patient.complaint() ==
        "executors: executor o (openai): the variable THE_KEY gives no key: it is not set");
  patient.variables["THE_KEY"] = "sk-secret";
  for (const auto& finding : patient.examine()) {
    CHECK(finding.what.find("sk-secret") == std::string::npos);
  }
  CHECK(patient.complaints().empty());
  endpoint(R"({"file":"/nowhere/key"})");
  CHECK(patient.complaint().ends_with(
      "the file /nowhere/key gives no key: No such file or directory"));
  endpoint(R"({"command":["pass"]})");
  CHECK(patient.complaint().ends_with("there is no program pass"));
  const auto key = patient.folder.write("key", "sk-secret");
  REQUIRE(chmod(key.c_str(), 0644) == 0);
  endpoint("{\"file\":\"" + key + "\"}");
  CHECK(patient.complaint().ends_with("others may read it; chmod 600 mends that"));
  patient.config(R"({"executors":{"o":{"type":"openai","preset":"openai"}}})");
  CHECK(patient.complaint().find("the variable OPENAI_API_KEY gives no key") != std::string::npos);
  patient.config(R"({"executors":{"o":{"type":"openai"}}})");
  CHECK(patient.complaint().find("needs a url") != std::string::npos);
}

TEST_CASE("Programs and variables of hooks are looked for") {
  Patient patient;
  patient.config(R"({"hooks":{
    "a":{"types":["x"],"command":["./no-such-program"]},
    "b":{"types":["x"],"url":"https://example.com/","headers":{"X-Key":{"env":"HOOK_KEY"}}},
    "c":{"types":["x"],"command":["/bin/sh"]}}})");
  CHECK(patient.complaints() ==
        std::vector<std::string>{
            "hooks: hook a: there is no program " + patient.home + "/no-such-program",
            "hooks: hook b: the variable HOOK_KEY is not set: it is the header X-Key"});
  patient.variables["HOOK_KEY"] = "secret";
  CHECK(patient.complaints().size() == 1);
  const auto program = patient.folder.write("home/no-such-program", "");
  REQUIRE(chmod(program.c_str(), 0700) == 0);
  CHECK(patient.complaints().empty());
  patient.config(
      "{\"hooks\":{\n\"a\":{\"types\":[\"x\"]},\n\"b\":{\"types\":[\"x\"],\"command\":[\"./"
      "b\"]}}}");
  CHECK(patient.complaints() ==
        std::vector<std::string>{"hooks: hook b: there is no program " + patient.home + "/b",
                                 "hooks: " + patient.home +
                                     "/config.json:2: /hooks/a: a hook has "
                                     "a command or a url, and not both"});
}

TEST_CASE("Too little space is a problem") {
  Patient patient;
  patient.variables["REPRISE_DRIVE_MIN_FREE_BYTES"] = "999999999GiB";
  CHECK(patient.complaint().starts_with("disk: only "));
}

TEST_CASE("What killed commands left is told after an hour, and removed on request") {
  Patient patient;
  const auto left = patient.folder.write("home/runs/.new-01/journal/x", "");
  CHECK(patient.complaints().empty());  // it may be at work
  patient.clock.advance(3'700'000);
  CHECK(patient.complaint().starts_with("leftovers: 1 unfinished folders"));
  auto workspace = patient.workspace();
  CHECK(remove_leftovers(workspace, patient.clock) == std::vector<std::string>{".new-01"});
  CHECK(patient.complaints().empty());
  CHECK_FALSE(std::filesystem::exists(left));
}

TEST_CASE("A module that cannot be loaded is a problem") {
  Patient patient;
  patient.modules = {{.file = "libnothing.so", .what = "nothing", .error = "NOTHING_MISSING"}};
  CHECK(patient.complaint().starts_with("modules: nothing cannot be loaded"));
}

TEST_CASE("A home that was found and is not trusted is told") {
  Patient patient;
  patient.home = patient.folder / "clone/.reprise";
  init_home(patient.home, false);
  patient.query = {.working_dir = patient.folder / "clone"};
  CHECK(patient.complaint().starts_with("trust: the home "));
}

}  // namespace
}  // namespace reprise::test
