// index.db holds nothing that cannot be made again: whatever happens to its files, the next
// question is answered as if nothing had.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/engine/index/index_fixture.h"

using namespace reprise;
using namespace reprise::test;
namespace fs = std::filesystem;

namespace {

/// A home of some runs whose index is settled, and its files as they are then.
struct Settled {
  Settled() {
    for (const std::string id : {"a", "b", "c"}) {
      home.start(id);
      home.emit(id, "step.done");
    }
    for (int i = 0; i < 3; ++i) home.ask();
    index = read_text(home.path("index.db"));
    truth = home.fresh();
  }
  void restore() const {
    for (const char* suffix : {"-wal", "-shm"}) fs::remove(home.path("index.db") + suffix);
    write_text(home.path("index.db"), index);
  }
  IndexedHome home;
  std::string index;
  std::string truth;
};

}  // namespace

TEST_CASE("A flipped bit anywhere in index.db changes no answer") {
  Settled settled;
  size_t noticed = 0;
  for (size_t at = 0; at < settled.index.size(); at += at < 200 ? 1 : 641) {
    settled.restore();
    auto text = settled.index;
    text[at] = static_cast<char>(text[at] ^ (1 << (at % 8)));
    write_text(settled.home.path("index.db"), text);
    INFO("byte " << at);
    CHECK(settled.home.ask() == settled.truth);
    noticed += settled.home.damage.empty() ? 0 : 1;
  }
  CHECK(noticed > 100);
}

TEST_CASE("index.db cut at any length changes no answer") {
  Settled settled;
  for (size_t length = 0; length < settled.index.size(); length += length < 100 ? 9 : 1531) {
    settled.restore();
    write_text(settled.home.path("index.db"), settled.index.substr(0, length));
    INFO("length " << length);
    CHECK(settled.home.ask() == settled.truth);
  }
}

TEST_CASE("index.db that is gone, empty, of other tables or no database changes no answer") {
  Settled settled;
  fs::remove(settled.home.path("index.db"));
  CHECK(settled.home.ask() == settled.truth);
  CHECK(settled.home.damage.empty());
  write_text(settled.home.path("index.db"), "");
  CHECK(settled.home.ask() == settled.truth);
  write_text(settled.home.path("index.db"), std::string(10'000, 'x'));
  CHECK(settled.home.ask() == settled.truth);
  settled.restore();
  Database(settled.home.path("index.db"), 1000, REPRISE_TEST_SQLITE)
      .execute("PRAGMA user_version = 4711");
  CHECK(settled.home.ask() == settled.truth);
  CHECK(settled.home.damage.find("another version") != std::string::npos);
}

TEST_CASE(
    "The write-ahead log that a killed command left, whole, cut or flipped, changes no answer") {
  Settled settled;
  const auto& home = settled.home;
  // The files of a database that is open are those that a killed process leaves.
  std::string index, log;
  settled.home.emit("a", "more");
  {
    auto open = settled.home.index();
    open.ask([&](Database&) {
      index = read_text(home.path("index.db"));
      log = read_text(home.path("index.db-wal"));
    });
  }
  REQUIRE(log.size() > 4096);
  const auto truth = settled.home.fresh();
  const auto check = [&](const std::string& wal) {
    settled.restore();
    write_text(home.path("index.db"), index);
    write_text(home.path("index.db-wal"), wal);
    CHECK(settled.home.ask() == truth);
  };
  check(log);
  for (size_t at = 0; at < log.size(); at += at < 60 ? 7 : 1201) {
    INFO("byte " << at);
    auto text = log;
    text[at] = static_cast<char>(text[at] ^ 0x10);
    check(text);
    check(log.substr(0, at));
  }
}

TEST_CASE("An index that cannot be made on the disk is made in memory") {
  IndexedHome home;
  home.start("a");
  // What stands in its way is no file of ours, so nobody removes it.
  fs::create_directories(home.path("index.db-wal/full"));
  CHECK(home.ask() == home.fresh());
}

TEST_CASE("A home of another user is asked by way of a private index") {
  if (geteuid() != 0) return;  // nobody else may become another user
  IndexedHome home;
  home.start("a");
  constexpr auto kReadable = fs::perms::group_read | fs::perms::others_read |
                             fs::perms::group_exec | fs::perms::others_exec;
  fs::permissions(home.temp.path(), kReadable, fs::perm_options::add);
  for (const auto& entry : fs::recursive_directory_iterator(home.temp.path())) {
    fs::permissions(entry, kReadable, fs::perm_options::add);
  }
  fs::create_directory(home.temp.path() + "/cache");
  fs::permissions(home.temp.path() + "/cache", fs::perms::all);
  REQUIRE(seteuid(65534) == 0);
  const auto first = home.ask();
  const bool is_private = fs::exists(home.temp.path() + "/cache/index");
  REQUIRE(seteuid(0) == 0);
  CHECK(first == home.fresh());
  CHECK(is_private);
  CHECK_FALSE(fs::exists(home.path("index.db")));
}
