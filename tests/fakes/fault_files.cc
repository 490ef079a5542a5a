#include "tests/fakes/fault_files.h"

#include "journal/error.h"
#include "journal/memory_files.h"

namespace reprise {

namespace {

class FaultFile final : public File {
 public:
  FaultFile(std::unique_ptr<File> file, Faults& faults, std::string path)
      : x_file(std::move(file)), x_faults(faults), x_path(std::move(path)) {}

  size_t read_at(uint64_t offset, char* buffer, size_t size) override {
    check("read");
    return x_file->read_at(offset, buffer, size);
  }
  void write_at(uint64_t offset, std::string_view bytes) override {
    if (x_faults.next("write", x_path)) {
      if (x_faults.short_write) x_file->write_at(offset, bytes.substr(0, bytes.size() / 2));
      throw system_error("write", x_path, x_faults.error);
    }
    x_file->write_at(offset, bytes);
  }
  void sync() override {
    if (x_faults.next("sync", x_path)) {
      if (auto* memory = dynamic_cast<MemoryFile*>(x_file.get())) memory->forget_unsynced();
      throw system_error("sync", x_path, x_faults.error);
    }
    if (!x_faults.forgets) x_file->sync();
  }
  void truncate(uint64_t size) override {
    check("truncate");
    x_file->truncate(size);
  }
  FileStat stat() override {
    check("stat");
    return x_file->stat();
  }

 private:
  void check(const char* operation) {
    if (x_faults.next(operation, x_path)) throw system_error(operation, x_path, x_faults.error);
  }

  std::unique_ptr<File> x_file;
  Faults& x_faults;
  std::string x_path;
};

class FaultDir final : public Dir {
 public:
  FaultDir(std::unique_ptr<Dir> dir, Faults& faults) : x_dir(std::move(dir)), x_faults(faults) {}

  std::unique_ptr<File> open(std::string_view path, Access access) override {
    check("open", path);
    std::unique_ptr<File> file = x_dir->open(path, access);
    if (!file) return nullptr;
    return std::make_unique<FaultFile>(std::move(file), x_faults, std::string(path));
  }
  std::unique_ptr<Dir> open_dir(std::string_view path) override {
    check("open_dir", path);
    std::unique_ptr<Dir> dir = x_dir->open_dir(path);
    return dir ? std::make_unique<FaultDir>(std::move(dir), x_faults) : nullptr;
  }
  std::optional<FileStat> stat(std::string_view path) override {
    check("stat", path);
    return x_dir->stat(path);
  }
  bool make_dir(std::string_view path) override {
    check("make_dir", path);
    return x_dir->make_dir(path);
  }
  std::vector<std::string> list(std::string_view path) override {
    check("list", path);
    return x_dir->list(path);
  }
  bool rename(std::string_view from, std::string_view to, bool replace) override {
    check("rename", from);
    return x_dir->rename(from, to, replace);
  }
  bool remove(std::string_view path) override {
    check("remove", path);
    return x_dir->remove(path);
  }
  void remove_tree(std::string_view path) override {
    check("remove_tree", path);
    x_dir->remove_tree(path);
  }
  void sync_dir(std::string_view path) override {
    check("sync_dir", path);
    x_dir->sync_dir(path);
  }
  std::unique_ptr<FileLock> lock(std::string_view path, LockMode mode, int64_t timeout_ms,
                                 std::string_view holder) override {
    check("lock", path);
    return x_dir->lock(path, mode, timeout_ms, holder);
  }
  std::string path() const override { return x_dir->path(); }
  BootId boot_id() override { return x_dir->boot_id(); }

 private:
  void check(const char* operation, std::string_view path) {
    if (x_faults.next(operation, path)) throw system_error(operation, path, x_faults.error);
  }

  std::unique_ptr<Dir> x_dir;
  Faults& x_faults;
};

}  // namespace

bool Faults::next(std::string_view operation, std::string_view path) {
  count++;
  log.push_back(std::string(operation) + ' ' + std::string(path));
  return fail_at != 0 && (from_then_on ? count >= fail_at : count == fail_at);
}

std::unique_ptr<Dir> with_faults(std::unique_ptr<Dir> dir, Faults& faults) {
  return std::make_unique<FaultDir>(std::move(dir), faults);
}

}  // namespace reprise
