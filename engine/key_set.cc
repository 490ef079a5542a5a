#include "engine/key_set.h"

#include <algorithm>
#include <string_view>

#include "journal/hash.h"
#include "journal/ids.h"

namespace reprise {

namespace {

constexpr size_t kDigits = 16;
constexpr uint64_t kKeysInBlock = 256;
constexpr size_t kFullBlockBytes = kDigits * (1 + kKeysInBlock) + 1;

uint64_t blocks_of(uint64_t count) { return (count + kKeysInBlock - 1) / kKeysInBlock; }

std::string block_sum(std::string_view keys, uint64_t block, uint64_t seed) {
  return format_hex64(hash64(keys, seed + block));
}

/// The keys of one block, sixteen digits each; empty when it is damaged.
std::string read_block(const StoredKeys& stored, uint64_t block) {
  const auto count = std::min(kKeysInBlock, stored.count - block * kKeysInBlock);
  std::string line(kDigits * (1 + count) + 1, '\0');
  const auto size =
      stored.file->read_at(stored.offset + block * kFullBlockBytes, line.data(), line.size());
  if (size != line.size() || line.back() != '\n') return {};
  auto keys = line.substr(kDigits, kDigits * count);
  if (line.compare(0, kDigits, block_sum(keys, block, stored.seed)) != 0) return {};
  return keys;
}

/// Hex digits sort as the numbers do.
bool holds(std::string_view keys, std::string_view wanted) {
  size_t low = 0;
  size_t high = keys.size() / kDigits;
  while (low < high) {
    const auto middle = low + (high - low) / 2;
    const auto order = keys.compare(middle * kDigits, kDigits, wanted);
    if (order == 0) return true;
    (order < 0 ? low : high) = order < 0 ? middle + 1 : middle;
  }
  return false;
}

/// Writes sorted keys, block by block.
class BlockWriter {
 public:
  explicit BlockWriter(uint64_t seed) : x_seed(seed) {}

  void add(std::string_view digits) {
    x_keys += digits;
    ++x_blocks.count;
    if (x_keys.size() == kKeysInBlock * kDigits) flush();
  }

  KeyBlocks done() {
    if (!x_keys.empty()) flush();
    return std::move(x_blocks);
  }

 private:
  void flush() {
    const auto block = (x_blocks.count - 1) / kKeysInBlock;
    x_blocks.text.append(block_sum(x_keys, block, x_seed)).append(x_keys).append(1, '\n');
    x_keys.clear();
  }

  uint64_t x_seed;
  std::string x_keys;  ///< of the block that is being filled
  KeyBlocks x_blocks;
};

}  // namespace

bool KeySet::may_contain(uint64_t key) const {
  if (x_added.contains(key)) return true;
  const auto wanted = format_hex64(key);
  uint64_t low = 0;
  uint64_t high = blocks_of(x_stored.count);
  while (low < high) {
    const auto middle = low + (high - low) / 2;
    const auto keys = read_block(x_stored, middle);
    if (keys.empty()) return true;
    if (wanted < std::string_view(keys).substr(0, kDigits)) {
      high = middle;
    } else if (wanted > std::string_view(keys).substr(keys.size() - kDigits)) {
      low = middle + 1;
    } else {
      return holds(keys, wanted);
    }
  }
  return false;
}

std::optional<KeyBlocks> KeySet::blocks(uint64_t seed) const {
  BlockWriter writer(seed);
  auto added = x_added.begin();
  for (uint64_t block = 0; block < blocks_of(x_stored.count); ++block) {
    const auto keys = read_block(x_stored, block);
    if (keys.empty()) return std::nullopt;
    for (size_t at = 0; at < keys.size(); at += kDigits) {
      const auto stored = std::string_view(keys).substr(at, kDigits);
      for (; added != x_added.end(); ++added) {
        const auto digits = format_hex64(*added);
        if (digits > stored) break;
        if (digits < stored) writer.add(digits);
      }
      writer.add(stored);
    }
  }
  for (; added != x_added.end(); ++added) writer.add(format_hex64(*added));
  return writer.done();
}

uint64_t key_blocks_size(uint64_t count) {
  return count * kDigits + blocks_of(count) * (kDigits + 1);
}

}  // namespace reprise
