#include "engine/key_set.h"

#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "journal/memory_files.h"

namespace reprise {
namespace {

constexpr uint64_t kSeed = 7;
constexpr std::string_view kPath = "keys";

/// The set as a command finds it that reads it again.
KeySet stored(const KeyBlocks& blocks, uint64_t seed = kSeed) {
  const auto dir = MemoryFiles().root();
  const std::string before = "what stands before it\n";
  write_new_file(*dir, kPath, before + blocks.text, false);
  return KeySet({dir->open(kPath, Access::kRead), before.size(), blocks.count, seed});
}

KeySet set_of(uint64_t count) {
  KeySet keys;
  for (uint64_t key = 1; key <= count; ++key) keys.insert(key * 10);
  return keys;
}

TEST_CASE("A set of keys holds what was added, before and after it was read again") {
  std::mt19937_64 random(7);
  for (int round = 0; round < 30; ++round) {
    std::set<uint64_t> model;
    KeySet keys;
    for (int i = 0; i < 1000; ++i) {
      const auto key = random() >> (random() % 64U);
      model.insert(key);
      keys.insert(key);
      if (random() % 100 == 0) keys = stored(*keys.blocks(kSeed));
    }
    const auto blocks = *keys.blocks(kSeed);
    CHECK(blocks.count == model.size());
    CHECK(blocks.text.size() == key_blocks_size(blocks.count));
    for (const auto key : model) {
      CHECK(keys.may_contain(key));
      CHECK(keys.may_contain(key + 1) == model.contains(key + 1));
    }
    CHECK(stored(blocks).blocks(kSeed)->text == blocks.text);
  }
}

TEST_CASE("Sets of every size around that of a block are found again") {
  for (const uint64_t count : {0U, 1U, 255U, 256U, 257U, 511U, 512U, 513U, 2000U}) {
    const auto blocks = *set_of(count).blocks(kSeed);
    CHECK(blocks.text.size() == key_blocks_size(count));
    const auto keys = stored(blocks);
    for (uint64_t key = 1; key <= count; ++key) CHECK(keys.may_contain(key * 10));
    CHECK_FALSE(keys.may_contain(5));
    CHECK_FALSE(keys.may_contain(count * 10 + 5));
  }
}

TEST_CASE("What cannot be read may hold any key, and is stored no more") {
  const auto whole = *set_of(300).blocks(kSeed);
  for (size_t at = 0; at < whole.text.size(); at += 13) {
    auto damaged = whole;
    damaged.text[at] ^= 1;
    const auto keys = stored(damaged);
    for (uint64_t key = 1; key <= 300; ++key) CHECK(keys.may_contain(key * 10));
    CHECK_FALSE(keys.blocks(kSeed).has_value());
  }
  auto cut = whole;
  cut.text.pop_back();
  CHECK(stored(cut).may_contain(3000));
  CHECK_FALSE(stored(cut).blocks(kSeed).has_value());
  CHECK_FALSE(stored(whole, kSeed + 1).blocks(kSeed).has_value());
}

}  // namespace
}  // namespace reprise
