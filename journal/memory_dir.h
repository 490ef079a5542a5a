// The directories of memory_files.h.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "journal/memory_files.h"

namespace reprise {

class MemoryDir final : public Dir {
 public:
  MemoryDir(std::shared_ptr<MemoryTree> tree, std::shared_ptr<MemoryNode> node, std::string path)
      : x_tree(std::move(tree)), x_node(std::move(node)), x_path(std::move(path)) {}

  std::unique_ptr<File> open(std::string_view path, Access access) override;
  std::unique_ptr<Dir> open_dir(std::string_view path) override;
  std::optional<FileStat> stat(std::string_view path) override;
  bool make_dir(std::string_view path) override;
  std::vector<std::string> list(std::string_view path) override;
  bool rename(std::string_view from, std::string_view to, bool replace) override;
  bool remove(std::string_view path) override;
  void remove_tree(std::string_view path) override;
  void sync_dir(std::string_view path) override;
  /// Nobody can release a lock while this call waits, so it never waits.
  std::unique_ptr<FileLock> lock(std::string_view path, LockMode mode, int64_t timeout_ms,
                                 std::string_view holder) override;
  std::string path() const override { return x_path; }
  BootId boot_id() override;

  void plant(std::string_view path);

 private:
  /// A place in the tree: the directory, the name in it, and what is there. The directory is null
  /// when it is missing.
  struct Spot {
    std::shared_ptr<MemoryNode> dir;
    std::string name;
    std::shared_ptr<MemoryNode> node;
  };
  Spot find(std::string_view path) const;
  std::shared_ptr<MemoryNode> directory(std::string_view path) const;
  std::string full(std::string_view path) const { return x_path + '/' + std::string(path); }

  std::shared_ptr<MemoryTree> x_tree;
  std::shared_ptr<MemoryNode> x_node;
  std::string x_path;
};

}  // namespace reprise
