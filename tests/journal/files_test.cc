// What files.h promises, the same for all implementations.
#include "journal/files.h"

#include <catch2/catch.hpp>

#include "journal/error.h"
#include "journal/memory_files.h"
#include "tests/fakes/error_code.h"
#include "tests/fakes/fault_files.h"
#include "tests/journal/temp_dir.h"

using namespace reprise;
using reprise::test::code_of;

namespace {

struct Memory {
  MemoryFiles files;
  std::unique_ptr<Dir> open() { return files.root(); }
};
struct Real {
  TempDir temp;
  std::unique_ptr<Dir> open() { return temp.open(); }
};
struct RealByComponent {
  TempDir temp;
  std::unique_ptr<Dir> open() { return temp.open(Lookup::kByComponent); }
};
struct Counted {
  MemoryFiles files;
  Faults faults;
  std::unique_ptr<Dir> open() { return with_faults(files.root(), faults); }
};

std::string content(Dir& dir, std::string_view path) {
  return read_file(dir, path).value_or("(none)");
}

}  // namespace

#define FILES_TEST(name) TEMPLATE_TEST_CASE(name, "", Memory, Real, RealByComponent, Counted)

FILES_TEST("a file is written and read at any place") {
  TestType place;
  const auto dir = place.open();
  const auto file = dir->open("a", Access::kCreateNew);
  REQUIRE(file);
  file->write_at(0, "hello");
  file->write_at(3, "p me");
  file->sync();
  char buffer[10] = {};
  CHECK(file->read_at(0, buffer, sizeof buffer) == 7);
  CHECK(std::string(buffer) == "help me");
  CHECK(file->read_at(5, buffer, 1) == 1);
  CHECK(file->read_at(7, buffer, 1) == 0);
  CHECK(file->read_at(100, buffer, 1) == 0);
  CHECK(file->stat().size == 7);
  file->truncate(4);
  CHECK(content(*dir, "a") == "help");
  file->write_at(6, "!");
  CHECK(content(*dir, "a") == std::string("help\0\0!", 7));
}

FILES_TEST("each kind of access finds or makes the file, or says that it cannot") {
  TestType place;
  const auto dir = place.open();
  CHECK_FALSE(dir->open("a", Access::kRead));
  CHECK_FALSE(dir->open("a", Access::kWrite));
  CHECK(dir->open("a", Access::kCreate));
  CHECK(dir->open("a", Access::kCreate));
  CHECK_FALSE(dir->open("a", Access::kCreateNew));
  CHECK(dir->open("a", Access::kRead));
  CHECK(dir->open("b", Access::kCreateNew));
  CHECK_FALSE(dir->open("no/b", Access::kRead));
  CHECK(code_of([&] { dir->open("no/b", Access::kCreate); }) == "SYSTEM_ERROR");
}

FILES_TEST("directories are made with their parents") {
  TestType place;
  const auto dir = place.open();
  CHECK(dir->make_dir("a/b/c"));
  CHECK_FALSE(dir->make_dir("a/b/c"));
  CHECK_FALSE(dir->make_dir("a"));
  CHECK(dir->stat("a/b/c")->directory);
  CHECK_FALSE(dir->stat("a/x"));
  CHECK_FALSE(dir->stat("x/y/z"));
  const auto below = dir->open_dir("a/b");
  REQUIRE(below);
  write_new_file(*below, "f", "1", false);
  CHECK(content(*dir, "a/b/f") == "1");
  CHECK_FALSE(dir->stat("a/b/f")->directory);
  CHECK_FALSE(dir->open_dir("nowhere"));
  CHECK(below->path() == dir->path() + "/a/b");
}

FILES_TEST("a listing is sorted and complete") {
  TestType place;
  const auto dir = place.open();
  CHECK(dir->list("").empty());
  CHECK(dir->list("nowhere").empty());
  for (const char* name : {"b", "c", ".a"}) write_new_file(*dir, name, "", false);
  dir->make_dir("d/e");
  CHECK(dir->list("") == std::vector<std::string>{".a", "b", "c", "d"});
  CHECK(dir->list("d") == std::vector<std::string>{"e"});
}

FILES_TEST("rename replaces, or leaves alone what is there") {
  TestType place;
  const auto dir = place.open();
  write_new_file(*dir, "a", "1", false);
  write_new_file(*dir, "b", "2", false);
  CHECK_FALSE(dir->rename("a", "b", false));
  CHECK(content(*dir, "b") == "2");
  CHECK(dir->rename("a", "b", true));
  CHECK(content(*dir, "b") == "1");
  CHECK_FALSE(dir->stat("a"));
  dir->make_dir("d");
  CHECK(dir->rename("b", "d/c", false));
  CHECK(content(*dir, "d/c") == "1");
  CHECK(dir->rename("d", "e", false));
  CHECK(content(*dir, "e/c") == "1");
  CHECK(code_of([&] { dir->rename("nothing", "x", true); }) == "SYSTEM_ERROR");
}

FILES_TEST("remove takes files and empty directories") {
  TestType place;
  const auto dir = place.open();
  CHECK_FALSE(dir->remove("a"));
  CHECK_FALSE(dir->remove("no/a"));
  dir->make_dir("d");
  write_new_file(*dir, "d/a", "1", false);
  CHECK_FALSE(dir->remove("d"));
  CHECK(dir->remove("d/a"));
  CHECK(dir->remove("d"));
  CHECK_FALSE(dir->stat("d"));
}

FILES_TEST("remove_tree takes all of it and nothing else") {
  TestType place;
  const auto dir = place.open();
  dir->make_dir("d/e/f");
  write_new_file(*dir, "d/e/f/a", "1", false);
  write_new_file(*dir, "d/b", "1", false);
  write_new_file(*dir, "kept", "1", false);
  dir->remove_tree("d");
  CHECK(dir->list("") == std::vector<std::string>{"kept"});
  dir->remove_tree("d");
}

FILES_TEST("replace_file shows the old file or the new one, and leaves nothing behind") {
  TestType place;
  const auto dir = place.open();
  for (const bool durable : {false, true}) {
    replace_file(*dir, "a", "one", durable);
    CHECK(content(*dir, "a") == "one");
    replace_file(*dir, "a", "two", durable);
    CHECK(content(*dir, "a") == "two");
  }
  dir->make_dir("d");
  replace_file(*dir, "d/a", "three", true);
  CHECK(content(*dir, "d/a") == "three");
  CHECK(dir->list("") == std::vector<std::string>{"a", "d"});
  CHECK(dir->list("d") == std::vector<std::string>{"a"});
}

FILES_TEST("write_new_file never overwrites") {
  TestType place;
  const auto dir = place.open();
  write_new_file(*dir, "a", "one", true);
  CHECK(code_of([&] { write_new_file(*dir, "a", "two", true); }) == "SYSTEM_ERROR");
  CHECK(content(*dir, "a") == "one");
}

FILES_TEST("no path leaves the directory") {
  TestType place;
  const auto dir = place.open();
  dir->make_dir("d");
  const std::string_view bad[] = {"",     "/",         "/a",     "/etc/passwd",
                                  "a//b", "a/",        ".",      "./a",
                                  "a/.",  "a/./b",     "..",     "../a",
                                  "d/..", "d/../../a", "d/../d", std::string_view("a\0b", 3)};
  for (const std::string_view path : bad) {
    INFO(path);
    const auto refused = [&](const std::function<void()>& call) {
      CHECK(code_of(call) == "INVALID_PATH");
    };
    refused([&] { dir->open(path, Access::kRead); });
    refused([&] { dir->open(path, Access::kCreate); });
    refused([&] { dir->open_dir(path); });
    refused([&] { dir->stat(path); });
    refused([&] { dir->make_dir(path); });
    refused([&] { dir->rename(path, "x", true); });
    refused([&] { dir->rename("d", path, true); });
    refused([&] { dir->remove(path); });
    refused([&] { dir->remove_tree(path); });
    refused([&] { dir->lock(path, LockMode::kShared, 0, ""); });
    if (path.empty()) continue;  // the directory itself
    refused([&] { dir->list(path); });
    refused([&] { dir->sync_dir(path); });
  }
  for (const char* good : {"...", "..a", "a..", ".a", "a b", "\xc3\xa9"})
    CHECK(dir->open(good, Access::kCreate));
}

FILES_TEST("a directory is no file, and a file no directory") {
  TestType place;
  const auto dir = place.open();
  dir->make_dir("d");
  write_new_file(*dir, "f", "", false);
  for (const Access access : {Access::kRead, Access::kWrite, Access::kCreate}) {
    CHECK(code_of([&] { dir->open("d", access); }) == "NOT_A_FILE");
    CHECK(code_of([&] { dir->open("f/a", access); }) == "NOT_A_FILE");
  }
  CHECK(code_of([&] { dir->open_dir("f"); }) == "NOT_A_FILE");
  CHECK(code_of([&] { dir->make_dir("f"); }) == "NOT_A_FILE");
  CHECK(code_of([&] { dir->make_dir("f/a"); }) == "NOT_A_FILE");
  CHECK(code_of([&] { dir->list("f"); }) == "NOT_A_FILE");
}

FILES_TEST("an exclusive lock excludes all others until it is released") {
  TestType place;
  const auto dir = place.open();
  const auto other = place.open();
  {
    const auto lock = dir->lock("l", LockMode::kExclusive, 0, "reprise test");
    REQUIRE(lock);
    CHECK(content(*dir, "l").find("reprise test") != std::string::npos);
    CHECK_FALSE(other->lock("l", LockMode::kExclusive, 0, "me"));
    CHECK_FALSE(other->lock("l", LockMode::kShared, 0, "me"));
    CHECK(content(*dir, "l").find("reprise test") != std::string::npos);
    CHECK(other->lock("m", LockMode::kExclusive, 0, "me"));
  }
  CHECK(other->lock("l", LockMode::kExclusive, 0, "me"));
}

FILES_TEST("shared locks share") {
  TestType place;
  const auto dir = place.open();
  const auto other = place.open();
  const auto one = dir->lock("l", LockMode::kShared, 0, "");
  auto two = other->lock("l", LockMode::kShared, 0, "");
  CHECK(one);
  CHECK(two);
  CHECK_FALSE(dir->lock("l", LockMode::kExclusive, 0, ""));
}

FILES_TEST("a boot has a name") {
  TestType place;
  const auto dir = place.open();
  CHECK(dir->boot_id() != BootId{});
  CHECK(dir->boot_id() == place.open()->boot_id());
}
