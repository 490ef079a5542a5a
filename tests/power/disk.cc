#include "tests/power/disk.h"

#include <algorithm>

#include "tests/engine/model_program.h"

namespace reprise::test {

namespace {

using Kind = DiskChange::Kind;

constexpr uint64_t kSector = 512;

void read_below(Dir& root, const std::string& path, uint64_t node, Disk& disk) {
  disk[node].folder = true;
  for (const auto& name : root.list(path)) {
    const auto below = path.empty() ? name : path + "/" + name;
    const auto stat = *root.stat(below);
    disk[node].names[name] = stat.inode;
    if (stat.directory) {
      read_below(root, below, stat.inode, disk);
    } else {
      disk[stat.inode].bytes = *read_file(root, below);
    }
  }
}

void put_below(const Disk& disk, uint64_t node, const std::string& path, Dir& root) {
  for (const auto& [name, child] : disk.at(node).names) {
    const auto below = path.empty() ? name : path + "/" + name;
    if (disk.at(child).folder) {
      root.make_dir(below);
      put_below(disk, child, below, root);
    } else {
      write_new_file(root, below, disk.at(child).bytes, false);
    }
  }
}

void tell_below(const Disk& disk, uint64_t node, std::string& text) {
  for (const auto& [name, child] : disk.at(node).names) {
    const auto& there = disk.at(child);
    text += name + '\0' + (there.folder ? "folder" : std::to_string(there.bytes.size())) + '\0';
    text += there.bytes;
    if (!there.folder) continue;
    tell_below(disk, child, text);
    text += '\0';
  }
}

/// How much of a write lies in the sector in which it begins.
uint64_t first_sector(const DiskChange& write) {
  return std::min<uint64_t>(kSector - write.offset % kSector, write.bytes.size());
}

void write(std::string& file, uint64_t offset, std::string_view bytes) {
  if (file.size() < offset + bytes.size()) file.resize(offset + bytes.size());
  file.replace(offset, bytes.size(), bytes);
}

void apply_write(std::string& file, const DiskChange& change, Fate fate) {
  const std::string_view bytes = change.bytes;
  switch (fate) {
    case Fate::kWhole:
      return write(file, change.offset, bytes);
    case Fate::kCut:
      return write(file, change.offset, bytes.substr(0, bytes.size() / 2));
    case Fate::kZeros:
      if (file.size() < change.offset + bytes.size()) file.resize(change.offset + bytes.size());
      return;
    case Fate::kHole:
      return write(file, change.offset + first_sector(change), bytes.substr(first_sector(change)));
    case Fate::kLost:
      return;
  }
}

/// What can become of a change besides kWhole and kLost.
std::vector<Fate> damages(const DiskChange& change) {
  if (change.kind != Kind::kWrite) return {};
  std::vector<Fate> fates{Fate::kCut, Fate::kZeros};
  if (first_sector(change) < change.bytes.size()) fates.push_back(Fate::kHole);
  return fates;
}

bool is_sync(const DiskChange& change) {
  return change.kind == Kind::kSync || change.kind == Kind::kSyncNames;
}

bool covers(const DiskChange& sync, const DiskChange& change) {
  const bool bytes = change.kind == Kind::kWrite || change.kind == Kind::kTruncate;
  if (sync.kind == Kind::kSync) return bytes && change.node == sync.node;
  if (bytes || is_sync(change)) return false;
  return change.node == sync.node || (change.kind == Kind::kRename && change.to_node == sync.node);
}

/// One state: `fates` of all changes.
Disk state(const Disk& before, const std::vector<DiskChange>& changes,
           const std::vector<Fate>& fates) {
  Disk disk = before;
  for (size_t i = 0; i < fates.size(); ++i) apply(disk, changes[i], fates[i]);
  return disk;
}

}  // namespace

Disk disk_of(Dir& root) {
  Disk disk;
  read_below(root, "", DiskLog::kRoot, disk);
  return disk;
}

void put(const Disk& disk, Dir& root) { put_below(disk, DiskLog::kRoot, "", root); }

std::string text_of(const Disk& disk) {
  std::string text;
  tell_below(disk, DiskLog::kRoot, text);
  return text;
}

void apply(Disk& disk, const DiskChange& change, Fate fate) {
  if (change.kind == Kind::kMake) disk[change.child].folder = change.folder;
  if (fate == Fate::kLost) return;
  auto& node = disk[change.node];
  switch (change.kind) {
    case Kind::kWrite:
      return apply_write(node.bytes, change, fate);
    case Kind::kTruncate:
      return node.bytes.resize(change.offset);
    case Kind::kMake:
      node.names[change.name] = change.child;
      return;
    case Kind::kRename:
      node.names.erase(change.name);
      disk[change.to_node].names[change.to_name] = change.child;
      return;
    case Kind::kRemove:
      node.names.erase(change.name);
      return;
    case Kind::kSync:
    case Kind::kSyncNames:
      return;
  }
}

std::vector<size_t> Pending::all() const {
  std::vector<size_t> list;
  for (size_t i = 0; i < open.size(); ++i) {
    if (open[i]) list.push_back(i);
  }
  return list;
}

Pending pending_after(const std::vector<DiskChange>& changes, size_t count) {
  Pending pending;
  for (size_t i = 0; i < count; ++i) {
    pending.open.push_back(!is_sync(changes[i]));
    if (!is_sync(changes[i])) continue;
    for (size_t j = 0; j < i; ++j) {
      if (covers(changes[i], changes[j])) pending.open[j] = false;
    }
  }
  return pending;
}

void for_each_state(const Disk& before, const std::vector<DiskChange>& changes, size_t count,
                    uint64_t samples, uint64_t seed,
                    const std::function<void(const Disk&)>& visit) {
  const auto pending = pending_after(changes, count).all();
  std::vector<Fate> fates(count, Fate::kWhole);
  if (pending.size() > kMostForAll) {
    Dice dice(seed);
    for (uint64_t sample = 0; sample < samples; ++sample) {
      for (const auto i : pending) {
        auto possible = damages(changes[i]);
        possible.insert(possible.end(), {Fate::kWhole, Fate::kWhole, Fate::kLost, Fate::kLost});
        fates[i] = possible[dice.below(possible.size())];
      }
      visit(state(before, changes, fates));
    }
    return;
  }
  for (uint64_t kept = 0; kept < uint64_t{1} << pending.size(); ++kept) {
    for (size_t bit = 0; bit < pending.size(); ++bit) {
      fates[pending[bit]] = (kept >> bit) % 2 != 0 ? Fate::kWhole : Fate::kLost;
    }
    visit(state(before, changes, fates));
    for (const auto i : pending) {
      if (fates[i] == Fate::kLost) continue;
      for (const auto damage : damages(changes[i])) {
        fates[i] = damage;
        visit(state(before, changes, fates));
      }
      fates[i] = Fate::kWhole;
    }
  }
}

}  // namespace reprise::test
