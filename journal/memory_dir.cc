#include "journal/memory_dir.h"

#include <cerrno>

#include "journal/error.h"

namespace reprise {

namespace {

using Kind = MemoryNode::Kind;

class MemoryLock final : public FileLock {
 public:
  MemoryLock(std::shared_ptr<MemoryNode> node, LockMode mode)
      : x_node(std::move(node)), x_mode(mode) {
    if (mode == LockMode::kShared) {
      x_node->shared_locks++;
    } else {
      x_node->exclusive_lock = true;
    }
  }
  ~MemoryLock() override {
    if (x_mode == LockMode::kShared) {
      x_node->shared_locks--;
    } else {
      x_node->exclusive_lock = false;
    }
  }

 private:
  std::shared_ptr<MemoryNode> x_node;
  LockMode x_mode;
};

Error unexpected_kind(const std::string& path) {
  return Error(Exit::kCorrupt, "NOT_A_FILE", path + " is not what it should be");
}

}  // namespace

MemoryDir::Spot MemoryDir::find(std::string_view path) const {
  check_path(path);
  std::shared_ptr<MemoryNode> dir = x_node;
  for (size_t slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/')) {
    const auto there = dir->names.find(std::string(path.substr(0, slash)));
    if (there == dir->names.end()) return {};
    dir = there->second;
    if (dir->kind != Kind::kDirectory) throw unexpected_kind(full(path));
    path.remove_prefix(slash + 1);
  }
  const auto there = dir->names.find(std::string(path));
  return {dir, std::string(path), there == dir->names.end() ? nullptr : there->second};
}

/// The directory at `path` ("" for this one), or null.
std::shared_ptr<MemoryNode> MemoryDir::directory(std::string_view path) const {
  if (path.empty()) return x_node;
  std::shared_ptr<MemoryNode> node = find(path).node;
  if (node && node->kind != Kind::kDirectory) throw unexpected_kind(full(path));
  return node;
}

std::unique_ptr<File> MemoryDir::open(std::string_view path, Access access) {
  const Spot spot = find(path);
  const bool creates = access == Access::kCreate || access == Access::kCreateNew;
  if (!spot.node) {
    if (!creates) return nullptr;
    if (!spot.dir) throw system_error("open", full(path), ENOENT);
    const auto made = x_tree->make(Kind::kFile);
    spot.dir->names[spot.name] = made;
    return std::make_unique<MemoryFile>(made);
  }
  if (access == Access::kCreateNew) return nullptr;
  if (spot.node->kind != Kind::kFile) throw unexpected_kind(full(path));
  return std::make_unique<MemoryFile>(spot.node);
}

std::unique_ptr<Dir> MemoryDir::open_dir(std::string_view path) {
  check_path(path);
  const auto node = directory(path);
  return node ? std::make_unique<MemoryDir>(x_tree, node, full(path)) : nullptr;
}

std::optional<FileStat> MemoryDir::stat(std::string_view path) {
  const Spot spot = find(path);
  if (!spot.node) return std::nullopt;
  FileStat stat = MemoryFile(spot.node).stat();
  stat.directory = spot.node->kind == Kind::kDirectory;
  return stat;
}

bool MemoryDir::make_dir(std::string_view path) {
  Spot spot = find(path);
  if (!spot.dir) {
    make_dir(path.substr(0, path.rfind('/')));
    spot = find(path);
  }
  if (spot.node) {
    if (spot.node->kind != Kind::kDirectory) throw unexpected_kind(full(path));
    return false;
  }
  spot.dir->names[spot.name] = x_tree->make(Kind::kDirectory);
  return true;
}

std::vector<std::string> MemoryDir::list(std::string_view path) {
  std::vector<std::string> names;
  if (const auto node = directory(path)) {
    for (const auto& [name, child] : node->names) names.push_back(name);
  }
  return names;
}

bool MemoryDir::rename(std::string_view from, std::string_view to, bool replace) {
  const Spot source = find(from);
  const Spot target = find(to);
  if (!source.node || !target.dir) throw system_error("rename", full(from), ENOENT);
  if (target.node && !replace) return false;
  target.dir->names[target.name] = source.node;
  source.dir->names.erase(source.name);
  return true;
}

bool MemoryDir::remove(std::string_view path) {
  const Spot spot = find(path);
  if (!spot.node || !spot.node->names.empty()) return false;
  spot.dir->names.erase(spot.name);
  return true;
}

void MemoryDir::remove_tree(std::string_view path) {
  const Spot spot = find(path);
  if (spot.node) spot.dir->names.erase(spot.name);
}

void MemoryDir::sync_dir(std::string_view path) {
  if (!path.empty()) check_path(path);
  const auto node = directory(path);
  if (!node) throw system_error("sync", full(path), ENOENT);
  node->durable_names = node->names;
}

std::unique_ptr<FileLock> MemoryDir::lock(std::string_view path, LockMode mode, int64_t,
                                          std::string_view holder) {
  open(path, Access::kCreate);
  const auto node = find(path).node;
  const bool free = !node->exclusive_lock && (mode == LockMode::kShared || node->shared_locks == 0);
  if (!free) return nullptr;
  if (mode == LockMode::kExclusive) node->bytes = std::string(holder) + '\n';
  return std::make_unique<MemoryLock>(node, mode);
}

BootId MemoryDir::boot_id() {
  BootId id{};
  id[0] = x_tree->boot;
  return id;
}

void MemoryDir::plant(std::string_view path) {
  const Spot spot = find(path);
  spot.dir->names[spot.name] = x_tree->make(Kind::kPlanted);
}

}  // namespace reprise
