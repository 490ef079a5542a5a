// Who may run programs.
#include "engine/home/trust.h"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "journal/error.h"
#include "tests/engine/home/home_fixture.h"

namespace reprise::test {
namespace {

struct Trusting {
  HomeFolder folder;
  TrustStore store{folder / "state"};
  FixedClock clock{0};
  std::string home = folder.write("clone/.reprise/config.json", "{}")
                         .substr(0, (folder / "clone/.reprise").size());

  TrustVerdict judge(FoundBy found_by = FoundBy::kAncestor) {
    return judge_home({home, found_by}, store);
  }
  void accept() {
    const auto verdict = judge();
    store.trust(verdict.home, verdict.config, clock);
  }
  std::string refused(FoundBy found_by = FoundBy::kAncestor) {
    try {
      check_trust({home, found_by}, store);
    } catch (const Error& error) {
      CHECK(error.exit() == Exit::kForbidden);
      CHECK(error.code() == "UNTRUSTED_HOME");
      return error.message();
    }
    return {};
  }
};

TEST_CASE("A home that was found runs nothing until it is trusted") {
  Trusting t;
  CHECK(t.judge().trust == Trust::kUnknown);
  CHECK(t.refused().find("it was found, not named") != std::string::npos);
  CHECK_FALSE(t.refused(FoundBy::kRun).empty());
  t.accept();
  CHECK(t.judge().trust == Trust::kRecorded);
  CHECK(t.judge().at == "1970-01-01T00:00:00.000Z");
  CHECK(t.refused().empty());
  CHECK(t.refused(FoundBy::kRun).empty());
  CHECK(t.store.revoke(t.judge().home));
  CHECK_FALSE(t.store.revoke(t.judge().home));
  CHECK_FALSE(t.refused().empty());
}

TEST_CASE("A home that the user named is his word") {
  Trusting t;
  CHECK(t.refused(FoundBy::kNamed).empty());
  CHECK(t.refused(FoundBy::kUser).empty());
}

TEST_CASE("A changed configuration asks again and says what changed") {
  Trusting t;
  t.accept();
  t.folder.write("clone/.reprise/config.json", R"({"drive":{"jobs":9}})");
  CHECK(t.judge().trust == Trust::kChanged);
  CHECK(t.judge().changed == std::vector<std::string>{"drive.jobs"});
  CHECK(t.refused().find("has changed since 1970-01-01T00:00:00.000Z: drive.jobs") !=
        std::string::npos);
  CHECK(t.refused(FoundBy::kNamed).empty());
  t.folder.write("clone/.reprise/config.json", "no JSON");
  CHECK(t.judge().trust == Trust::kChanged);
  t.folder.write("clone/.reprise/config.json", "{}");
  CHECK(t.refused().empty());
  std::filesystem::remove(t.home + "/config.json");
  CHECK(t.judge().trust == Trust::kChanged);
  t.accept();
  CHECK(t.refused().empty());
}

TEST_CASE("A command that edits the configuration keeps the trust, and gives none") {
  Trusting t;
  const HomePlace found{t.home, FoundBy::kAncestor};
  write_config(found, R"({"drive":{"jobs":1}})", t.store, t.clock);
  CHECK(t.judge().trust == Trust::kUnknown);
  t.accept();
  write_config(found, R"({"drive":{"jobs":2}})", t.store, t.clock);
  CHECK(t.judge().trust == Trust::kRecorded);
  CHECK(t.folder.read("clone/.reprise/config.json") == R"({"drive":{"jobs":2}})");
}

TEST_CASE("A home is the same by every path that leads to it") {
  Trusting t;
  t.accept();
  std::filesystem::create_directory_symlink(t.home, t.folder / "link");
  CHECK(judge_home({t.folder / "link", FoundBy::kAncestor}, t.store).trust == Trust::kRecorded);
  CHECK(judge_home({t.folder / "nothing", FoundBy::kAncestor}, t.store).trust == Trust::kNone);
}

TEST_CASE("A damaged or missing memory trusts nothing, and can be written anew") {
  Trusting t;
  t.accept();
  for (const auto* text : {"", "{", "[]", "{\"homes\":[]}", "{\"homes\":{\"x\":1}}"}) {
    t.folder.write("state/trust.json", text);
    CHECK(t.judge().trust == Trust::kUnknown);
  }
  t.accept();
  CHECK(t.judge().trust == Trust::kRecorded);
  TrustStore nowhere{""};
  CHECK_FALSE(nowhere.find(t.home));
  CHECK_THROWS_AS(nowhere.trust(t.home, "", t.clock), Error);
}

TEST_CASE("A home of somebody else runs nothing, even when it is named") {
  if (geteuid() != 0) return;  // only root can give a file away
  Trusting t;
  REQUIRE(chown(t.home.c_str(), 12345, 12345) == 0);
  CHECK(t.judge().trust == Trust::kForeign);
  CHECK(t.judge().owner == "uid 12345");
  CHECK_FALSE(t.refused(FoundBy::kNamed).empty());
  t.accept();
  CHECK_FALSE(t.refused().empty());

  // Shared with a group that the user is of, it is his once he says so.
  REQUIRE(chown(t.home.c_str(), 12345, getegid()) == 0);
  REQUIRE(chmod(t.home.c_str(), 02770) == 0);
  CHECK(t.refused(FoundBy::kNamed).empty());
  t.store.revoke(t.judge().home);
  CHECK_FALSE(t.refused(FoundBy::kNamed).empty());
}

TEST_CASE("A configuration of somebody else in one's own home is foreign, too") {
  if (geteuid() != 0) return;  // only root can give a file away
  Trusting t;
  t.accept();
  REQUIRE(chown((t.home + "/config.json").c_str(), 12345, 12345) == 0);
  CHECK(t.judge().trust == Trust::kForeign);
}

}  // namespace
}  // namespace reprise::test
