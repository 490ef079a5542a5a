// The keys of signals, which make a repeated signal a no-op: a set that only grows and is kept for
// ever. Those that were stored stay in their file, sorted, in blocks with a sum each: a command
// that looks for one key reads a few blocks, however many there are.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "journal/files.h"

namespace reprise {

/// A set as text: lines of a sum and up to 256 keys, sixteen hex digits each.
struct KeyBlocks {
  std::string text;
  uint64_t count = 0;
};

/// Where such a text lies.
struct StoredKeys {
  std::shared_ptr<File> file;
  uint64_t offset = 0;
  uint64_t count = 0;
  uint64_t seed = 0;  ///< as it was written with
};

class KeySet {
 public:
  KeySet() = default;
  /// Reads nothing yet. `file` is read for as long as the set lives.
  explicit KeySet(StoredKeys stored) : x_stored(std::move(stored)) {}

  void insert(uint64_t key) { x_added.insert(key); }
  /// Also true when the block that would tell is damaged: a hit is to be confirmed in the journal.
  bool may_contain(uint64_t key) const;
  /// All of them; nullopt when a block is damaged. `seed` makes the blocks of one file no good in
  /// another.
  std::optional<KeyBlocks> blocks(uint64_t seed) const;

 private:
  StoredKeys x_stored;
  std::set<uint64_t> x_added;
};

/// The size of the text.
uint64_t key_blocks_size(uint64_t count);

}  // namespace reprise
