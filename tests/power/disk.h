// What a disk may hold after the power failed. A disk keeps what was synced; of everything else it
// may hold any part, in any order: bytes without their name, a name without its bytes, the half of
// a write, its size without its bytes. What the log of a program leaves open, a state decides.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/fakes/recording_dir.h"

namespace reprise::test {

struct DiskNode {
  bool folder = false;
  std::string bytes;
  std::map<std::string, uint64_t> names;
};
/// By inode; DiskLog::kRoot is the root.
using Disk = std::map<uint64_t, DiskNode>;

/// The disk of a machine that was shut down cleanly.
Disk disk_of(Dir& root);
/// Puts a disk's tree into an empty root.
void put(const Disk& disk, Dir& root);
/// Equal for disks whose trees are the same, but for what is built aside in folders whose names
/// begin with a dot, which nobody reads, and, unless with `tasks`, for task.json and input.json.
std::string text_of(const Disk& disk, bool tasks);

/// What became of a change.
enum class Fate : uint8_t {
  kWhole,
  kLost,
  kCut,    ///< of a write: its first half
  kZeros,  ///< of a write that made the file longer: only the size
  kHole,   ///< of a write over several sectors: all but the first one
};
void apply(Disk& disk, const DiskChange& change, Fate fate);

/// Changes that are on the disk for certain, and those of which nobody knows.
struct Pending {
  std::vector<bool> open;  ///< by change
  std::vector<size_t> all() const;
};
/// After the first `count` changes of the log.
Pending pending_after(const std::vector<DiskChange>& changes, size_t count);

constexpr size_t kMostForAll = 12;  ///< pending changes of which every subset is tried

/// Calls `visit` with every state of the disk after the first `count` changes: for up to
/// kMostForAll pending ones every subset of them, and every subset with one write damaged in each
/// way; for more, so many states drawn from `seed`. Subsets that make no difference are left out.
/// False: not all.
bool for_each_state(const Disk& before, const std::vector<DiskChange>& changes, size_t count,
                    uint64_t samples, uint64_t seed, const std::function<void(const Disk&)>& visit);

}  // namespace reprise::test
