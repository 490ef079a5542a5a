// Making homes, and the modes of what is made in them.
#include "engine/home/init.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>

#include "engine/workspace.h"
#include "journal/error.h"
#include "tests/engine/home/home_fixture.h"

namespace reprise::test {
namespace {

using Names = std::vector<std::string>;

unsigned mode_of(const std::string& path) {
  struct stat status {};
  REQUIRE(stat(path.c_str(), &status) == 0);
  return status.st_mode & 07777U;
}

TEST_CASE("A home is made for its user alone, and making it again changes nothing") {
  const HomeFolder folder;
  const auto home = folder / "p/.reprise";
  const auto made = init_home(home, false);
  CHECK(made.made == Names{"runs", "logs", "config.json"});
  CHECK(made.empty);
  CHECK_FALSE(made.shared);
  CHECK(mode_of(home) == 0700);
  CHECK(mode_of(home + "/runs") == 0700);
  CHECK(mode_of(home + "/config.json") == 0600);
  CHECK(init_home(home, false).made.empty());
  CHECK(init_home(home, false).empty);
  CHECK(
      load_config({.user_file = {}, .home_file = home + "/config.json", .environment = {}}).jobs ==
      4);
}

TEST_CASE("Making a home goes on where a killed command ended, and keeps what is there") {
  const HomeFolder folder;
  const auto home = folder / "h";
  folder.write("h/runs/r/journal/x", "");
  CHECK(init_home(home, false).made == Names{"logs", "config.json"});
  CHECK_FALSE(init_home(home, false).empty);  // it holds a run
  folder.write("g/config.json", "{ }");
  CHECK(init_home(folder / "g", false).made == Names{"runs", "logs"});
  CHECK(folder.read("g/config.json") == "{ }");
  CHECK_FALSE(init_home(folder / "g", false).empty);  // it holds a configuration
}

TEST_CASE("All that is made in a shared home is shared, whatever the umask") {
  const HomeFolder folder;
  const auto home = folder / "h";
  const auto umask_before = umask(077);
  CHECK(init_home(home, true).shared);
  CHECK(mode_of(home) == 02770);
  CHECK(mode_of(home + "/runs") == 02770);
  CHECK(mode_of(home + "/config.json") == 0660);

  const auto runs = open_real_dir(home + "/runs", false);
  runs->make_dir("a/b");
  const auto below = runs->open_dir("a/b");
  write_new_file(*below, "new", "", false);
  replace_file(*below, "replaced", "", false);
  const auto lock = below->lock("lock", LockMode::kExclusive, 0, "");
  umask(umask_before);
  CHECK(mode_of(home + "/runs/a") == 02770);
  CHECK(mode_of(home + "/runs/a/b") == 02770);
  for (const auto* name : {"new", "replaced", "lock"}) {
    CHECK(mode_of(home + "/runs/a/b/" + name) == 0660);
  }
}

TEST_CASE("A home that is there is shared afterwards") {
  const HomeFolder folder;
  const auto home = folder / "h";
  init_home(home, false);
  CHECK(init_home(home, true).shared);
  CHECK(mode_of(home + "/logs") == 02770);
  CHECK(mode_of(home + "/config.json") == 0660);
  CHECK(init_home(home, false).shared);
}

TEST_CASE("A home that cannot be made is refused by name, and nothing takes its place") {
  const HomeFolder folder;
  folder.write("file", "");
  const auto refused = [](const auto& action) {
    try {
      action();
    } catch (const Error& error) {
      CHECK(error.exit() == Exit::kSystem);
      return error.code();
    }
    return std::string();
  };
  CHECK(refused([&] { init_home(folder / "file/.reprise", false); }) == "HOME_NOT_WRITABLE");
  const HomeQuery query{.home = folder / "file/home", .working_dir = "/"};
  CHECK(refused([&] { Workspace(query, true); }) == "HOME_NOT_WRITABLE");
}

}  // namespace
}  // namespace reprise::test
