#include "tests/power/disk.h"

#include <algorithm>
#include <set>

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

void tell_below(const Disk& disk, uint64_t node, bool tasks, std::string& text) {
  for (const auto& [name, child] : disk.at(node).names) {
    if (node == DiskLog::kRoot && name.starts_with(".")) continue;
    if (!tasks && (name.starts_with("task.json") || name.starts_with("input.json"))) continue;
    const auto& there = disk.at(child);
    text += name + '\0' + (there.folder ? "folder" : std::to_string(there.bytes.size())) + '\0';
    text += there.bytes;
    if (!there.folder) continue;
    tell_below(disk, child, tasks, text);
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

/// What may have become of the pending changes of a few things that belong together.
struct Choice {
  std::vector<std::pair<size_t, Fate>> fates;
  bool damaged = false;  ///< one of them is neither there nor lost
};
using Group = std::vector<Choice>;  ///< all that differ

/// The things that a change is about: the bytes of a file, or names.
std::vector<std::string> things_of(const DiskChange& change) {
  const auto node = std::to_string(change.node);
  if (change.kind == Kind::kWrite || change.kind == Kind::kTruncate) return {node};
  if (change.kind != Kind::kRename) return {node + '/' + change.name};
  return {node + '/' + change.name, std::to_string(change.to_node) + '/' + change.to_name};
}

/// The pending changes, those together that are about the same things.
std::vector<std::vector<size_t>> groups_of(const std::vector<DiskChange>& changes,
                                           const std::vector<size_t>& pending) {
  std::map<std::string, size_t> owner;  // by thing
  std::map<size_t, std::vector<size_t>> groups;
  for (const auto i : pending) {
    groups[i] = {i};
    for (const auto& thing : things_of(changes[i])) {
      const auto found = owner.find(thing);
      if (found != owner.end() && found->second != i) {
        const auto joined = std::move(groups.extract(found->second).mapped());
        groups[i].insert(groups[i].begin(), joined.begin(), joined.end());
        for (auto& [name, group] : owner) {
          if (std::ranges::find(joined, group) != joined.end()) group = i;
        }
      }
      owner[thing] = i;
    }
  }
  std::vector<std::vector<size_t>> list;
  for (auto& [last, group] : groups) {
    std::ranges::sort(group);
    list.push_back(std::move(group));
  }
  return list;
}

Disk state(const Disk& before, const std::vector<DiskChange>& changes,
           const std::vector<Fate>& fates) {
  Disk disk = before;
  for (size_t i = 0; i < fates.size(); ++i) apply(disk, changes[i], fates[i]);
  return disk;
}

/// The nodes of a disk as they are, with what no name leads to.
std::string nodes_of(const Disk& disk) {
  std::string text;
  for (const auto& [inode, node] : disk) {
    text += std::to_string(inode) + ' ' + std::to_string(node.bytes.size()) + ' ' + node.bytes;
    for (const auto& [name, child] : node.names) text += name + '\0' + std::to_string(child) + ' ';
  }
  return text;
}

/// Every subset of a group, and every subset with one write damaged; only those that differ.
Group choices_of(const Disk& before, const std::vector<DiskChange>& changes, size_t count,
                 const std::vector<size_t>& members) {
  Group group;
  std::set<std::string> seen;
  std::vector<Fate> fates(count, Fate::kWhole);
  const auto add = [&](bool damaged) {
    if (!seen.insert(nodes_of(state(before, changes, fates))).second) return;
    group.push_back({.damaged = damaged});
    for (const auto i : members) group.back().fates.emplace_back(i, fates[i]);
  };
  const auto each = [&](const std::function<void()>& visit) {
    for (uint64_t kept = 0; kept < uint64_t{1} << members.size(); ++kept) {
      for (size_t bit = 0; bit < members.size(); ++bit) {
        fates[members[bit]] = (kept >> bit) % 2 != 0 ? Fate::kWhole : Fate::kLost;
      }
      visit();
    }
  };
  each([&] { add(false); });
  each([&] {
    for (const auto i : members) {
      if (fates[i] == Fate::kLost) continue;
      for (const auto damage : damages(changes[i])) {
        fates[i] = damage;
        add(true);
      }
      fates[i] = Fate::kWhole;
    }
  });
  return group;
}

/// All combinations of what the groups can be undamaged, and each with one of them damaged.
class Combinations {
 public:
  Combinations(std::vector<Group> groups, size_t count) : x_fates(count, Fate::kWhole) {
    for (auto& group : groups) {
      auto& [whole, damaged] = x_groups.emplace_back();
      for (auto& choice : group) (choice.damaged ? damaged : whole).push_back(std::move(choice));
    }
  }

  double size() const {
    double all = 1;
    double more = 0;
    for (const auto& [whole, damaged] : x_groups) {
      all *= static_cast<double>(whole.size());
      more += static_cast<double>(damaged.size()) / static_cast<double>(whole.size());
    }
    return all * (1 + more);
  }

  using Visit = std::function<void(const std::vector<Fate>&)>;

  void for_each(const Visit& visit, size_t from = 0, bool damaged = false) {
    if (from == x_groups.size()) return visit(x_fates);
    for (const auto& choice : x_groups[from].first) {
      take(choice);
      for_each(visit, from + 1, damaged);
    }
    if (damaged) return;
    for (const auto& choice : x_groups[from].second) {
      take(choice);
      for_each(visit, from + 1, true);
    }
  }

  void draw(Dice& dice, const Visit& visit) {
    const auto broken = dice.below(2 * x_groups.size());
    for (size_t i = 0; i < x_groups.size(); ++i) {
      const auto& [whole, damaged] = x_groups[i];
      const auto& from = i == broken && !damaged.empty() ? damaged : whole;
      take(from[dice.below(from.size())]);
    }
    visit(x_fates);
  }

 private:
  void take(const Choice& choice) {
    for (const auto& [i, fate] : choice.fates) x_fates[i] = fate;
  }

  std::vector<std::pair<Group, Group>> x_groups;  ///< undamaged, damaged
  std::vector<Fate> x_fates;
};

}  // namespace

Disk disk_of(Dir& root) {
  Disk disk;
  read_below(root, "", DiskLog::kRoot, disk);
  return disk;
}

void put(const Disk& disk, Dir& root) { put_below(disk, DiskLog::kRoot, "", root); }

std::string text_of(const Disk& disk, bool tasks) {
  std::string text;
  tell_below(disk, DiskLog::kRoot, tasks, text);
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

bool for_each_state(const Disk& before, const std::vector<DiskChange>& changes, size_t count,
                    uint64_t samples, uint64_t seed,
                    const std::function<void(const Disk&)>& visit) {
  const auto pending = pending_after(changes, count).all();
  std::vector<Group> groups;
  for (const auto& members : groups_of(changes, pending)) {
    groups.push_back(choices_of(before, changes, count, members));
  }
  Combinations combinations(std::move(groups), count);
  const auto make = [&](const std::vector<Fate>& fates) { visit(state(before, changes, fates)); };
  if (pending.size() <= kMostForAll || combinations.size() <= static_cast<double>(samples)) {
    combinations.for_each(make);
    return true;
  }
  Dice dice(seed);
  for (uint64_t sample = 0; sample < samples; ++sample) combinations.draw(dice, make);
  return false;
}

}  // namespace reprise::test
