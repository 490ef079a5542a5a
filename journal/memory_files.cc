#include "journal/memory_files.h"

#include <algorithm>

#include "journal/memory_dir.h"

namespace reprise {

namespace {

void lose(MemoryNode& node, bool names_survive) {
  node.bytes = node.durable_bytes;
  node.unsynced.clear();
  node.shared_locks = 0;
  node.exclusive_lock = false;
  if (!names_survive) node.names = node.durable_names;
  for (const auto& [name, child] : node.names) lose(*child, names_survive);
}

}  // namespace

std::shared_ptr<MemoryNode> MemoryTree::make(MemoryNode::Kind kind) {
  auto node = std::make_shared<MemoryNode>();
  node->kind = kind;
  node->inode = ++last_inode;
  return node;
}

size_t MemoryFile::read_at(uint64_t offset, char* buffer, size_t size) {
  const std::string& bytes = x_node->bytes;
  if (offset >= bytes.size()) return 0;
  const size_t got = std::min<size_t>(size, bytes.size() - offset);
  bytes.copy(buffer, got, offset);
  return got;
}

void MemoryFile::write_at(uint64_t offset, std::string_view bytes) {
  const uint64_t end = offset + bytes.size();
  if (end > x_node->bytes.size()) x_node->bytes.resize(end);
  std::copy(bytes.begin(), bytes.end(), x_node->bytes.begin() + static_cast<ptrdiff_t>(offset));
  x_node->unsynced.emplace_back(offset, end);
}

void MemoryFile::sync() {
  std::string& durable = x_node->durable_bytes;
  durable.resize(x_node->bytes.size());
  for (const auto& [begin, end] : x_node->unsynced) {
    const uint64_t stop = std::min<uint64_t>(end, durable.size());
    if (begin < stop) durable.replace(begin, stop - begin, x_node->bytes, begin, stop - begin);
  }
  x_node->unsynced.clear();
}

void MemoryFile::truncate(uint64_t size) { x_node->bytes.resize(size); }

FileStat MemoryFile::stat() {
  FileStat stat;
  stat.inode = x_node->inode;
  stat.size = x_node->bytes.size();
  return stat;
}

MemoryFiles::MemoryFiles() : x_tree(std::make_shared<MemoryTree>()) {
  x_tree->root = x_tree->make(MemoryNode::Kind::kDirectory);
}

std::unique_ptr<Dir> MemoryFiles::root() {
  return std::make_unique<MemoryDir>(x_tree, x_tree->root, "/memory");
}

void MemoryFiles::power_loss(bool names_survive) {
  lose(*x_tree->root, names_survive);
  x_tree->boot++;
}

void MemoryFiles::plant(std::string_view path) {
  MemoryDir(x_tree, x_tree->root, "/memory").plant(path);
}

}  // namespace reprise
