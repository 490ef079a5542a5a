#include "tests/fakes/recording_dir.h"

#include <utility>

namespace reprise {

namespace {

using Kind = DiskChange::Kind;

class RecordingFile final : public File {
 public:
  RecordingFile(std::unique_ptr<File> file, DiskLog& log, std::string path)
      : x_file(std::move(file)), x_log(log), x_path(std::move(path)) {}

  size_t read_at(uint64_t offset, char* buffer, size_t size) override {
    return x_file->read_at(offset, buffer, size);
  }
  void write_at(uint64_t offset, std::string_view bytes) override {
    x_file->write_at(offset, bytes);
    note(Kind::kWrite, offset, bytes);
  }
  void sync() override {
    x_file->sync();
    if (!x_log.forgets || !x_log.forgets(x_path)) note(Kind::kSync, 0, {});
  }
  void truncate(uint64_t size) override {
    x_file->truncate(size);
    note(Kind::kTruncate, size, {});
  }
  FileStat stat() override { return x_file->stat(); }

 private:
  void note(Kind kind, uint64_t offset, std::string_view bytes) {
    x_log.changes.push_back({.kind = kind,
                             .node = x_file->stat().inode,
                             .offset = offset,
                             .bytes = std::string(bytes)});
  }

  std::unique_ptr<File> x_file;
  DiskLog& x_log;
  std::string x_path;
};

class RecordingDir final : public Dir {
 public:
  RecordingDir(std::unique_ptr<Dir> dir, uint64_t node, DiskLog& log)
      : x_dir(std::move(dir)), x_node(node), x_log(log) {}

  std::unique_ptr<File> open(std::string_view path, Access access) override {
    const bool was_there = x_dir->stat(path).has_value();
    std::unique_ptr<File> file = x_dir->open(path, access);
    if (!file) return nullptr;
    if (!was_there) note_made(path, false);
    return std::make_unique<RecordingFile>(std::move(file), x_log, full(path));
  }
  std::unique_ptr<Dir> open_dir(std::string_view path) override {
    std::unique_ptr<Dir> dir = x_dir->open_dir(path);
    if (!dir) return nullptr;
    return std::make_unique<RecordingDir>(std::move(dir), node_at(path), x_log);
  }
  std::optional<FileStat> stat(std::string_view path) override { return x_dir->stat(path); }
  bool make_dir(std::string_view path) override {
    const size_t slash = path.rfind('/');
    if (slash != std::string_view::npos) make_dir(path.substr(0, slash));
    const bool made = x_dir->make_dir(path);
    if (made) note_made(path, true);
    return made;
  }
  std::vector<std::string> list(std::string_view path) override { return x_dir->list(path); }
  bool rename(std::string_view from, std::string_view to, bool replace) override {
    const uint64_t child = node_at(from);
    if (!x_dir->rename(from, to, replace)) return false;
    x_log.changes.push_back({.kind = Kind::kRename,
                             .node = folder_of(from),
                             .name = name_of(from),
                             .child = child,
                             .to_node = folder_of(to),
                             .to_name = name_of(to)});
    return true;
  }
  bool remove(std::string_view path) override {
    const bool removed = x_dir->remove(path);
    if (removed) note_removed(path);
    return removed;
  }
  void remove_tree(std::string_view path) override {
    for (const std::string& name : names_below(path)) {
      remove_tree(std::string(path) + '/' + name);
    }
    remove(path);
  }
  void sync_dir(std::string_view path) override {
    x_dir->sync_dir(path);
    const uint64_t node = path.empty() ? x_node : node_at(path);
    if (x_log.forgets && x_log.forgets(path.empty() ? x_dir->path() + '/' : full(path) + '/')) {
      return;
    }
    x_log.changes.push_back({.kind = Kind::kSyncNames, .node = node});
  }
  /// What the file says of its holder is for people, and no part of the log.
  std::unique_ptr<FileLock> lock(std::string_view path, LockMode mode, int64_t timeout_ms,
                                 std::string_view holder) override {
    open(path, Access::kCreate);
    return x_dir->lock(path, mode, timeout_ms, holder);
  }
  std::string path() const override { return x_dir->path(); }
  BootId boot_id() override { return x_dir->boot_id(); }

 private:
  std::string full(std::string_view path) const { return x_dir->path() + '/' + std::string(path); }
  static std::string name_of(std::string_view path) {
    return std::string(path.substr(path.rfind('/') + 1));
  }
  uint64_t node_at(std::string_view path) { return x_dir->stat(path).value_or(FileStat{}).inode; }
  uint64_t folder_of(std::string_view path) {
    const size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? x_node : node_at(path.substr(0, slash));
  }
  std::vector<std::string> names_below(std::string_view path) {
    const std::optional<FileStat> there = x_dir->stat(path);
    return there && there->directory ? x_dir->list(path) : std::vector<std::string>();
  }
  void note_made(std::string_view path, bool folder) {
    x_log.changes.push_back({.kind = Kind::kMake,
                             .node = folder_of(path),
                             .name = name_of(path),
                             .child = node_at(path),
                             .folder = folder});
  }
  void note_removed(std::string_view path) {
    x_log.changes.push_back(
        {.kind = Kind::kRemove, .node = folder_of(path), .name = name_of(path)});
  }

  std::unique_ptr<Dir> x_dir;
  uint64_t x_node;
  DiskLog& x_log;
};

}  // namespace

std::unique_ptr<Dir> with_log(MemoryFiles& files, DiskLog& log) {
  return std::make_unique<RecordingDir>(files.root(), DiskLog::kRoot, log);
}

}  // namespace reprise
