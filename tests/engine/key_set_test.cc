#include "engine/key_set.h"

#include <catch2/catch.hpp>
#include <random>
#include <set>

namespace reprise {
namespace {

TEST_CASE("A set of keys holds what was added, before and after it was read again") {
  std::mt19937_64 random(7);
  for (int round = 0; round < 50; ++round) {
    std::set<uint64_t> model;
    KeySet keys;
    for (int i = 0; i < 60; ++i) {
      const auto key = random() >> (random() % 64U);
      model.insert(key);
      keys.insert(key);
      if (random() % 8 == 0) keys = KeySet(keys.text());
    }
    CHECK(keys.size() == model.size());
    for (const auto key : model) {
      CHECK(keys.contains(key));
      CHECK(keys.contains(key + 1) == model.contains(key + 1));
    }
    std::set<uint64_t> sorted;
    const auto text = keys.text();
    for (size_t at = 0; at < text.size(); at += 16) {
      sorted.insert(std::stoull(text.substr(at, 16), nullptr, 16));
      CHECK((at == 0 || text.substr(at - 16, 16) < text.substr(at, 16)));
    }
    CHECK(sorted == model);
  }
}

TEST_CASE("A text that is none of a set is an empty one") {
  CHECK(KeySet("123").size() == 0);
  KeySet keys("123");
  keys.insert(1);
  CHECK(keys.text() == "0000000000000001");
}

}  // namespace
}  // namespace reprise
