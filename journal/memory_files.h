// A file system in memory: process:test runs processes in it. It keeps apart what was written from
// what is durable, so that tests of the engine can cut the power: bytes count as durable after
// their file's sync, names after their directory's sync_dir. After a sync that failed, the pages
// are clean and their bytes nowhere: only writing them again and syncing makes them durable (as on
// Linux).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "journal/files.h"

namespace reprise {

/// A file, a directory, or something else that somebody planted.
struct MemoryNode {
  enum class Kind { kFile, kDirectory, kPlanted };
  using Names = std::map<std::string, std::shared_ptr<MemoryNode>>;

  Kind kind = Kind::kFile;
  uint64_t inode = 0;
  std::string bytes;
  std::string durable_bytes;
  std::vector<std::pair<uint64_t, uint64_t>> unsynced;  ///< ranges [begin, end) written since
  Names names;
  Names durable_names;
  int shared_locks = 0;
  bool exclusive_lock = false;
};

/// State of the whole tree, shared by all handles into it.
struct MemoryTree {
  std::shared_ptr<MemoryNode> root;
  uint64_t last_inode = 0;
  uint8_t boot = 1;

  std::shared_ptr<MemoryNode> make(MemoryNode::Kind kind);
};

class MemoryFile final : public File {
 public:
  explicit MemoryFile(std::shared_ptr<MemoryNode> node) : x_node(std::move(node)) {}

  size_t read_at(uint64_t offset, char* buffer, size_t size) override;
  void write_at(uint64_t offset, std::string_view bytes) override;
  void sync() override;
  void truncate(uint64_t size) override;
  FileStat stat() override;

  /// What a failed sync does: nothing is durable, and the kernel forgets that it should be.
  void forget_unsynced() { x_node->unsynced.clear(); }

 private:
  std::shared_ptr<MemoryNode> x_node;
};

class MemoryFiles {
 public:
  MemoryFiles();

  /// A new handle to the root; "/memory" in messages.
  std::unique_ptr<Dir> root();

  /// What the disk holds after the power failed: unsynced bytes and names are gone, and a new boot
  /// begins. With `names_survive` names are kept that nobody synced: file systems may have written
  /// them already.
  void power_loss(bool names_survive = false);
  /// The machine was started again, after a clean shutdown.
  void reboot() { x_tree->boot++; }
  /// Puts something there that is no regular file (a pipe, a link).
  void plant(std::string_view path);

 private:
  std::shared_ptr<MemoryTree> x_tree;
};

}  // namespace reprise
