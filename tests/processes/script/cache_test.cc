// The start-up cache: used when it is sound and private, rewritten when it is not, never trusted
// otherwise.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include "tests/processes/script/child.h"

namespace fs = std::filesystem;
using reprise::test::ChildScript;
using reprise::test::run_in_child;

namespace {

class Folder {
 public:
  Folder() {
    char name[] = "/tmp/reprise-cache-XXXXXX";
    REQUIRE(mkdtemp(name));
    path_ = name;
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const fs::path& path() const { return path_; }

  void start_script() const {
    ChildScript script{"return 1;"};
    script.cache_folder = path_.string();
    auto result = run_in_child(script);
    INFO(result.output);
    REQUIRE(result.status == "complete 1;");
  }

  // The one file in it; empty when there is none.
  fs::path file() const {
    fs::path found;
    for (const auto& entry : fs::directory_iterator(path_)) found = entry.path();
    return found;
  }

  ino_t inode() const {
    struct stat info = {};
    return stat(file().c_str(), &info) == 0 ? info.st_ino : 0;
  }

 private:
  fs::path path_;
};

void edit(const fs::path& file, const std::function<void(std::string&)>& change) {
  std::ifstream in(file, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(in)), {});
  in.close();
  change(bytes);
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

}  // namespace

TEST_CASE("the first start writes the cache, the next ones use it") {
  Folder folder;
  folder.start_script();
  REQUIRE(!folder.file().empty());
  CHECK((fs::status(folder.file()).permissions() & fs::perms::all) ==
        (fs::perms::owner_read | fs::perms::owner_write));
  ino_t first = folder.inode();
  folder.start_script();
  CHECK(folder.inode() == first);
}

TEST_CASE("a cache folder that is missing is made, private") {
  Folder folder;
  ChildScript script{"return 1;"};
  script.cache_folder = (folder.path() / "cache").string();
  CHECK(run_in_child(script).status == "complete 1;");
  CHECK((fs::status(script.cache_folder).permissions() & fs::perms::all) == fs::perms::owner_all);
  CHECK(!fs::is_empty(script.cache_folder));
}

TEST_CASE("a damaged cache is not used and is written anew: every part of the file counts") {
  Folder folder;
  folder.start_script();
  auto size = static_cast<size_t>(fs::file_size(folder.file()));
  for (size_t offset :
       {size_t{0}, size_t{8}, size_t{16}, size_t{24}, size_t{32}, size / 2, size - 1}) {
    INFO(offset);
    ino_t before = folder.inode();
    edit(folder.file(),
         [offset](std::string& bytes) { bytes[offset] = static_cast<char>(bytes[offset] ^ 1); });
    folder.start_script();
    CHECK(folder.inode() != before);
  }
}

TEST_CASE("a cut or an empty cache is not used") {
  Folder folder;
  folder.start_script();
  for (size_t left : {size_t{0}, size_t{10}, size_t{32}, size_t{1000}}) {
    INFO(left);
    ino_t before = folder.inode();
    edit(folder.file(), [left](std::string& bytes) { bytes.resize(left); });
    folder.start_script();
    CHECK(folder.inode() != before);
  }
}

TEST_CASE(
    "a cache that others can write is not used, nor is one in a folder that others can write") {
  Folder folder;
  folder.start_script();
  ino_t before = folder.inode();
  fs::permissions(folder.file(), fs::perms::group_write, fs::perm_options::add);
  folder.start_script();
  CHECK(folder.inode() != before);

  fs::remove(folder.file());
  fs::permissions(folder.path(), fs::perms::others_write, fs::perm_options::add);
  folder.start_script();
  CHECK(folder.file().empty());
}

TEST_CASE("a symlink in the place of the cache is not followed") {
  Folder folder, elsewhere;
  folder.start_script();
  fs::path file = folder.file(), target = elsewhere.path() / "planted";
  fs::rename(file, target);
  fs::create_symlink(target, file);
  folder.start_script();
  CHECK(fs::is_regular_file(fs::symlink_status(file)));
}
