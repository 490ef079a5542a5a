// Finding the home and naming runs, on a real folder: this is about real paths.
#include "engine/workspace.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "journal/error.h"
#include "tests/journal/temp_dir.h"

namespace reprise::test {
namespace {

namespace fs = std::filesystem;

class TempFolder : public TempDir {
 public:
  std::string operator/(const std::string& below) const { return path() + "/" + below; }
  void run(const std::string& home, const std::string& name) const {
    fs::create_directories(*this / (home + "/runs/" + name + "/journal"));
    std::ofstream(*this / (home + "/runs/" + name + "/inputs.json")) << "{}";
  }
};

std::string find_code(Workspace& workspace, const std::string& selector) {
  try {
    workspace.find(selector);
  } catch (const Error& error) {
    return error.code();
  }
  return {};
}

std::string missing_code(const Workspace& workspace) {
  try {
    workspace.require_named();
  } catch (const Error& error) {
    return error.code();
  }
  return {};
}

TEST_CASE(
    "The home is named by flag, environment, an ancestor's .reprise, or the user's home, in this "
    "order") {
  const TempFolder folder;
  fs::create_directories(folder / "project/.reprise");
  fs::create_directories(folder / "project/deep/er");
  HomeQuery query{.working_dir = folder / "project/deep/er", .user_home = folder / "user"};
  CHECK(Workspace(query, false).runs_path() == folder / "project/.reprise/runs");
  query.environment_home = folder / "env";
  CHECK(Workspace(query, false).runs_path() == folder / "env/runs");
  query.home = "here";
  CHECK(Workspace(query, false).runs_path() == folder / "project/deep/er/here/runs");
  query.runs_dir = folder / "elsewhere";
  CHECK(Workspace(query, false).runs_path() == folder / "elsewhere");
  const HomeQuery plain{.working_dir = "/", .user_home = folder / "user"};
  CHECK(Workspace(plain, false).runs_path() == folder / "user/.reprise/runs");
}

TEST_CASE("A prefix and @last mean a run rather than its children") {
  const TempFolder folder;
  for (const auto* name : {"alpha", "alpha.t1", "alpha.t1.t12", "beta.t1", "beta.tree", "beta"}) {
    folder.run("home", name);
  }
  const auto old = fs::last_write_time(folder / "home/runs/alpha/inputs.json");
  const auto later = [&](const std::string& name, int seconds) {
    for (const auto* part : {"/inputs.json", ""}) {
      fs::last_write_time(folder / ("home/runs/" + name + part),
                          old + std::chrono::seconds(seconds));
    }
  };
  later("alpha", 5);
  later("alpha.t1.t12", 9);
  Workspace workspace({.home = folder / "home", .working_dir = folder / "home"}, false);
  CHECK(workspace.find("al").name == "alpha");
  CHECK(workspace.find("alpha.t").name == "alpha.t1");
  CHECK(workspace.find("alpha.t1.t12").name == "alpha.t1.t12");
  CHECK(workspace.find("@last").name == "alpha");
  CHECK(find_code(workspace, "be") == "RUN_AMBIGUOUS");
}

TEST_CASE("A run is named by id, by a unique prefix, by path or as the last one") {
  const TempFolder folder;
  folder.run("home", "alpha-1");
  folder.run("home", "alpha-2");
  folder.run("home", "beta");
  const auto old = fs::last_write_time(folder / "home/runs/beta/inputs.json");
  for (const auto* path : {"home/runs/alpha-2/inputs.json", "home/runs/alpha-2"})
    fs::last_write_time(folder / path, old + std::chrono::seconds(5));
  Workspace workspace({.home = folder / "home", .working_dir = folder / "home"}, false);
  CHECK(workspace.find("alpha-1").name == "alpha-1");
  CHECK(workspace.find("b").name == "beta");
  CHECK(workspace.find("./runs/beta").path == folder / "home/runs/beta");
  CHECK(workspace.find("@last").name == "alpha-2");
  CHECK(find_code(workspace, "alpha") == "RUN_AMBIGUOUS");
  CHECK(find_code(workspace, "gamma") == "RUN_NOT_FOUND");
  CHECK(find_code(workspace, "../home/nothing") == "RUN_NOT_FOUND");
  CHECK(find_code(workspace, "..") == "INVALID_RUN_ID");
}

TEST_CASE("A file among the runs is no run, and in nobody's way") {
  const TempFolder folder;
  folder.run("home", "run");
  std::ofstream(folder / "home/runs/notes.txt") << "mine";
  Workspace workspace({.home = folder / "home", .working_dir = folder / ""}, false);
  CHECK(find_code(workspace, "@last").empty());
  CHECK(workspace.find("r").name == "run");
  CHECK_FALSE(find_code(workspace, "notes.txt").empty());
}

TEST_CASE("A home that does not exist has no runs and is made only on request") {
  const TempFolder folder;
  const HomeQuery query{.home = folder / "new", .working_dir = folder / ""};
  Workspace reading(query, false);
  CHECK(reading.names().empty());
  CHECK(find_code(reading, "any") == "HOME_NOT_FOUND");
  CHECK(missing_code(reading) == "HOME_NOT_FOUND");
  CHECK(missing_code(Workspace({.working_dir = folder / "", .user_home = folder / ""}, false))
            .empty());
  CHECK_FALSE(fs::exists(folder / "new"));
  CHECK(Workspace(query, true).exists());
  CHECK(missing_code(reading).empty());
  CHECK((fs::status(folder / "new/runs").permissions() & fs::perms::all) == fs::perms::owner_all);
}

}  // namespace
}  // namespace reprise::test
