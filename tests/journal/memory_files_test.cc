// The fakes are what the crash tests stand on, so what they promise is tested, too.
#include "journal/memory_files.h"

#include <catch2/catch.hpp>

#include "journal/error.h"
#include "tests/fakes/fault_files.h"

using namespace reprise;

namespace {

std::string surviving(Dir& dir, std::string_view path) {
  return read_file(dir, path).value_or("(none)");
}

}  // namespace

TEST_CASE("a power loss takes bytes that were not synced") {
  MemoryFiles files;
  const auto dir = files.root();
  const auto file = dir->open("a", Access::kCreate);
  dir->sync_dir("");
  file->write_at(0, "one");
  file->sync();
  file->write_at(1, "NE and more");
  files.power_loss();
  CHECK(surviving(*dir, "a") == "one");
  file->truncate(1);
  files.power_loss();
  CHECK(surviving(*dir, "a") == "one");
  file->truncate(1);
  file->sync();
  files.power_loss();
  CHECK(surviving(*dir, "a") == "o");
}

TEST_CASE("a power loss takes names that were not synced") {
  MemoryFiles files;
  const auto dir = files.root();
  write_new_file(*dir, "a", "one", true);
  files.power_loss();
  CHECK(surviving(*dir, "a") == "(none)");
  write_new_file(*dir, "a", "one", true);
  files.power_loss(true);
  CHECK(surviving(*dir, "a") == "one");
  dir->sync_dir("");
  dir->rename("a", "b", true);
  files.power_loss();
  CHECK(surviving(*dir, "a") == "one");
  CHECK(surviving(*dir, "b") == "(none)");
  replace_file(*dir, "a", "two", false);
  files.power_loss();
  CHECK(surviving(*dir, "a") == "one");
  replace_file(*dir, "a", "two", true);
  files.power_loss();
  CHECK(surviving(*dir, "a") == "two");
  dir->remove("a");
  files.power_loss();
  CHECK(surviving(*dir, "a") == "two");
}

TEST_CASE("a power loss releases locks and begins a boot") {
  MemoryFiles files;
  const auto dir = files.root();
  const BootId before = dir->boot_id();
  const auto lock = dir->lock("l", LockMode::kExclusive, 0, "");
  files.power_loss(true);
  CHECK(dir->boot_id() != before);
  CHECK(dir->lock("l", LockMode::kExclusive, 0, ""));
}

TEST_CASE("after a failed sync, a later one makes nothing durable that was not written again") {
  MemoryFiles files;
  Faults faults;
  const auto dir = with_faults(files.root(), faults);
  const auto file = dir->open("a", Access::kCreate);
  dir->sync_dir("");
  file->write_at(0, "one");
  faults.fail_at = faults.count + 1;
  CHECK_THROWS_AS(file->sync(), Error);
  file->write_at(3, "two");
  file->sync();
  CHECK(surviving(*dir, "a") == "onetwo");
  files.power_loss();
  CHECK(surviving(*dir, "a") == std::string("\0\0\0two", 6));
  file->write_at(0, "one");
  file->sync();
  files.power_loss();
  CHECK(surviving(*dir, "a") == "onetwo");
}

TEST_CASE("faults are counted, fail once or from then on, and write short") {
  MemoryFiles files;
  Faults faults;
  const auto dir = with_faults(files.root(), faults);
  const auto file = dir->open("a", Access::kCreate);
  faults.fail_at = 2;
  faults.short_write = true;
  CHECK_THROWS_AS(file->write_at(0, "four"), Error);
  CHECK(file->stat().size == 2);
  file->write_at(0, "four");
  CHECK(file->stat().size == 4);
  faults.fail_at = faults.count + 1;
  faults.from_then_on = true;
  CHECK_THROWS_AS(file->stat(), Error);
  CHECK_THROWS_AS(dir->list(""), Error);
  CHECK(faults.log.back() == "list ");
}
