// changes.log on its own.
#include "engine/index/change_log.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "journal/error.h"
#include "tests/engine/index/index_fixture.h"

using namespace reprise;
using namespace reprise::test;
namespace fs = std::filesystem;

namespace {

constexpr const char* kGeneration = "00000000000000aa";

struct LogPlace {
  LogPlace() { fs::create_directories(runs); }
  std::string text() const { return read_text(files.changes_path()); }
  void begin() const { REQUIRE(begin_changes(files, kGeneration)); }
  void touch(const std::string& run, uint64_t seq) const {
    ChangeLog().touch(runs + "/" + run, seq);
  }
  LogReading read(const LogPosition& from = {}) const { return read_changes(files, from); }

  TempDir temp;
  std::string runs = temp.path() + "/home/runs";
  IndexFiles files = index_files(runs);
};

std::string marks_of(const LogReading& reading) {
  std::string text;
  for (const auto& mark : reading.marks)
    text += mark.run + ":" + std::to_string(mark.head_seq) + " ";
  return text;
}

}  // namespace

TEST_CASE("A folder of runs has its index beside it, under its own name unless it is runs") {
  CHECK(index_files("/home/runs").changes_path() == "/home/changes.log");
  CHECK(index_files("/data/mine").changes_path() == "/data/mine.changes.log");
  CHECK(index_files("/data/mine").index == "mine.index.db");
}

TEST_CASE("Without a log nobody is told, and none is made") {
  LogPlace place;
  place.touch("a", 3);
  CHECK_FALSE(fs::exists(place.files.changes_path()));
  CHECK(place.read().end.generation.empty());
}

TEST_CASE("Marks are read once, in order, from where the reader came") {
  LogPlace place;
  place.begin();
  const auto begin = place.read().end;
  place.touch("a", 3);
  place.touch("b", 1);
  const auto first = place.read(begin);
  CHECK(first.continues);
  CHECK(marks_of(first) == "a:3 b:1 ");
  CHECK(marks_of(place.read(first.end)).empty());
  place.touch("a", 4);
  CHECK(marks_of(place.read(first.end)) == "a:4 ");
}

TEST_CASE("A line that is not whole yet is left for the next time") {
  LogPlace place;
  place.begin();
  const auto begin = place.read().end;
  const auto text = place.text();
  for (const std::string part : {"a", "a 1", "a 12"}) {
    write_text(place.files.changes_path(), text + part);
    const auto reading = place.read(begin);
    CHECK(reading.continues);
    CHECK(reading.marks.empty());
    CHECK(reading.end == begin);
  }
  write_text(place.files.changes_path(), text + "a 12\n");
  CHECK(marks_of(place.read(begin)) == "a:12 ");
}

TEST_CASE("A line that no writer wrote breaks the continuity, once") {
  for (const std::string line : {"a\n", "../x 1\n", "a b\n", "a 1 2\n", " 1\n", "\n", "a -1\n"}) {
    LogPlace place;
    place.begin();
    const auto begin = place.read().end;
    write_text(place.files.changes_path(), place.text() + line);
    const auto reading = place.read(begin);
    CHECK_FALSE(reading.continues);
    CHECK(place.read(reading.end).continues);
  }
}

TEST_CASE("The log is begun anew only when nobody wrote since") {
  LogPlace place;
  place.begin();
  place.touch("a", 3);
  const auto before = place.read().end;
  place.touch("b", 1);
  CHECK_FALSE(trim_changes(place.files, before, "00000000000000bb"));
  const auto now = place.read().end;
  const auto begun = trim_changes(place.files, now, "00000000000000bb");
  REQUIRE(begun);
  CHECK_FALSE(place.read(now).continues);
  place.touch("c", 2);
  CHECK(marks_of(place.read(*begun)) == "c:2 ");
  CHECK(begin_changes(place.files, kGeneration));
  CHECK(marks_of(place.read(*begun)) == "c:2 ");  // there was one
}

TEST_CASE("Who cannot add its line takes the log away, and nothing else") {
  LogPlace place;
  const auto precious = place.temp.path() + "/precious";
  write_text(precious, "text");
  fs::create_symlink(precious, place.files.changes_path());
  place.touch("a", 1);
  CHECK(read_text(precious) == "text");
  CHECK_FALSE(fs::exists(fs::symlink_status(place.files.changes_path())));
  fs::create_directories(place.files.changes_path() + "/in the way");
  CHECK(code_of([&] { place.touch("a", 1); }) == "SYSTEM_ERROR");
}
