#include "journal/real_files.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>
#include <thread>

#include "journal/error.h"
#include "tests/fakes/error_code.h"
#include "tests/journal/temp_dir.h"

using namespace reprise;
using reprise::test::code_of;
namespace fs = std::filesystem;

namespace {

mode_t mode_of(const std::string& path) {
  struct stat status {};
  REQUIRE(lstat(path.c_str(), &status) == 0);
  return status.st_mode & 07777;
}

void plant_socket(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  REQUIRE(bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  close(fd);
}

/// How often this process has the file open.
size_t times_open(const std::string& path) {
  size_t times = 0;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    if (fs::read_symlink(entry.path(), gone) == path) times++;
  }
  return times;
}

}  // namespace

TEST_CASE("what is planted instead of a file is named, and never waited for") {
  for (const Lookup lookup : {Lookup::kKernel, Lookup::kByComponent}) {
    TempDir temp;
    const auto dir = temp.open(lookup);
    const std::string at = temp.path() + '/';
    REQUIRE(mkfifo((at + "fifo").c_str(), 0600) == 0);
    plant_socket(at + "socket");
    write_new_file(*dir, "file", "1", false);
    fs::create_symlink("file", at + "link");
    fs::create_symlink("/etc/passwd", at + "outside");
    fs::create_symlink("nowhere", at + "dangling");
    fs::create_symlink("/dev/zero", at + "device");
    for (const char* planted : {"fifo", "socket", "link", "outside", "dangling", "device"}) {
      for (const Access access : {Access::kRead, Access::kWrite, Access::kCreate}) {
        INFO(planted << " " << static_cast<int>(access));
        CHECK(code_of([&] { dir->open(planted, access); }) == "NOT_A_FILE");
      }
      CHECK(code_of([&] { dir->lock(planted, LockMode::kExclusive, 0, ""); }) == "NOT_A_FILE");
      CHECK(code_of([&] { dir->lock(planted, LockMode::kShared, 0, ""); }) == "NOT_A_FILE");
      CHECK_FALSE(dir->stat(planted)->directory);
    }
  }
}

TEST_CASE("no path leads through a link") {
  for (const Lookup lookup : {Lookup::kKernel, Lookup::kByComponent}) {
    TempDir outside;
    const auto other = outside.open();
    write_new_file(*other, "a", "1", false);
    TempDir temp;
    const auto dir = temp.open(lookup);
    fs::create_directory_symlink(outside.path(), temp.path() + "/link");
    dir->make_dir("d");
    fs::create_directory_symlink("../d", temp.path() + "/d/loop");
    for (const char* path : {"link/a", "d/loop/a", "link/b"}) {
      INFO(path);
      CHECK(code_of([&] { dir->open(path, Access::kRead); }) == "NOT_A_FILE");
      CHECK(code_of([&] { dir->open(path, Access::kCreate); }) == "NOT_A_FILE");
      CHECK(code_of([&] { dir->stat(path); }) == "NOT_A_FILE");
      CHECK(code_of([&] { dir->make_dir(path); }) == "NOT_A_FILE");
      CHECK(code_of([&] { dir->remove(path); }) == "NOT_A_FILE");
      CHECK(code_of([&] { dir->remove_tree(path); }) == "NOT_A_FILE");
      CHECK(code_of([&] { dir->rename(path, "x", true); }) == "NOT_A_FILE");
    }
    CHECK(code_of([&] { dir->open_dir("link"); }) == "NOT_A_FILE");
    CHECK(code_of([&] { dir->list("link"); }) == "NOT_A_FILE");
    CHECK(code_of([&] { dir->make_dir("link"); }) == "NOT_A_FILE");
    CHECK(code_of([&] { dir->sync_dir("link"); }) == "NOT_A_FILE");
    CHECK(other->list("") == std::vector<std::string>{"a"});
  }
}

TEST_CASE("a tree goes although somebody still writes into it") {
  const TempDir temp;
  const auto dir = temp.open();
  dir->make_dir("d");
  dir->make_dir("d/below");
  const auto below = temp.path() + "/d/below/";
  std::atomic<int> written = 0;
  std::thread writer([&] {
    for (; fs::exists(below); ++written) {
      const auto name = below + std::to_string(written);
      ::close(::open(name.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    }
  });
  while (written < 100) std::this_thread::yield();
  dir->remove_tree("d");
  writer.join();
  CHECK(dir->list("").empty());
}

TEST_CASE("remove and remove_tree take a link, not what it leads to") {
  TempDir outside;
  const auto other = outside.open();
  write_new_file(*other, "a", "1", false);
  TempDir temp;
  const auto dir = temp.open();
  dir->make_dir("d");
  fs::create_directory_symlink(outside.path(), temp.path() + "/d/link");
  fs::create_directory_symlink(outside.path(), temp.path() + "/link");
  dir->remove_tree("d");
  CHECK(dir->remove("link"));
  CHECK(dir->list("").empty());
  CHECK(other->list("") == std::vector<std::string>{"a"});
}

TEST_CASE("files are for their owner alone") {
  TempDir temp;
  const auto dir = temp.open();
  dir->make_dir("d/e");
  write_new_file(*dir, "d/f", "1", false);
  dir->lock("l", LockMode::kExclusive, 0, "");
  CHECK(mode_of(temp.path() + "/d") == 0700);
  CHECK(mode_of(temp.path() + "/d/e") == 0700);
  CHECK(mode_of(temp.path() + "/d/f") == 0600);
  CHECK(mode_of(temp.path() + "/l") == 0600);
}

TEST_CASE("a home's own path may lead through links, and is made when asked") {
  TempDir temp;
  fs::create_directory_symlink(temp.path(), temp.path() + "/link");
  CHECK_FALSE(open_real_dir(temp.path() + "/link/a/b", false));
  const auto dir = open_real_dir(temp.path() + "/link/a/b", true);
  REQUIRE(dir);
  CHECK(dir->path() == temp.path() + "/link/a/b");
  CHECK(fs::is_directory(temp.path() + "/a/b"));
  CHECK(open_real_dir(temp.path() + "/a/b", false));
  CHECK(open_real_dir(temp.path() + "/a/b/", true));
  CHECK_FALSE(open_real_dir("", false));
  write_new_file(*dir, "f", "", false);
  CHECK(code_of([&] { open_real_dir(temp.path() + "/a/b/f", false); }) == "SYSTEM_ERROR");
  CHECK(code_of([&] { open_real_dir(temp.path() + "/a/b/f/g", true); }) == "SYSTEM_ERROR");
}

TEST_CASE("a waiting writer gets the lock that is at the path, not the one that was replaced") {
  TempDir temp;
  const auto dir = temp.open();
  auto old = dir->lock("l", LockMode::kExclusive, 0, "");
  std::unique_ptr<FileLock> waited;
  std::thread waiter([&] { waited = temp.open()->lock("l", LockMode::kExclusive, 60'000, ""); });
  while (times_open(temp.path() + "/l") < 2) std::this_thread::yield();
  replace_file(*dir, "l", "another file", false);
  old.reset();
  waiter.join();
  REQUIRE(waited);
  CHECK_FALSE(dir->lock("l", LockMode::kExclusive, 0, ""));
  waited.reset();
  CHECK(dir->lock("l", LockMode::kExclusive, 0, ""));
}

TEST_CASE("the lock of a process that died is free") {
  TempDir temp;
  const auto dir = temp.open();
  const pid_t child = fork();
  if (child == 0) {
    const auto lock = temp.open()->lock("l", LockMode::kExclusive, 0, "");
    _exit(lock ? 0 : 1);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(dir->lock("l", LockMode::kExclusive, 0, ""));
}

TEST_CASE("the holder's text has one size, so that locking never changes the file's") {
  TempDir temp;
  const auto dir = temp.open();
  for (const std::string& holder :
       {std::string("reprise run:iterate"), std::string(), std::string(500, 'x')}) {
    dir->lock("l", LockMode::kExclusive, 0, holder);
    CHECK(dir->stat("l")->size == 120);
    CHECK(read_file(*dir, "l")->starts_with("process " + std::to_string(getpid())));
  }
}

TEST_CASE("a shared lock can be taken where nothing can be written") {
  TempDir temp;
  const auto dir = temp.open();
  write_new_file(*dir, "l", "", false);
  REQUIRE(chmod((temp.path() + "/l").c_str(), 0400) == 0);
  CHECK(dir->lock("l", LockMode::kShared, 0, ""));
  CHECK(read_file(*dir, "l")->empty());
}

TEST_CASE("a stat tells one file from another") {
  TempDir temp;
  const auto dir = temp.open();
  write_new_file(*dir, "a", "1", false);
  write_new_file(*dir, "b", "22", false);
  const FileStat a = *dir->stat("a");
  CHECK(a.inode != dir->stat("b")->inode);
  CHECK(a.inode == dir->open("a", Access::kRead)->stat().inode);
  CHECK(a.size == 1);
  CHECK(a.modified_ms > 946'684'800'000);
}
