// What is derived and may be dropped: state/state.json and the witness. Whatever stands there is
// used or not used, and never an error; what is used is written again as it was read.
//
// The first byte says which it is, and whether the sums are to be made right.
#include <array>
#include <cstring>
#include <memory>

#include "engine/state_cache.h"
#include "journal/blobs.h"
#include "journal/error.h"
#include "journal/hash.h"
#include "journal/memory_files.h"
#include "journal/witness.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/target.h"

namespace reprise::fuzz {

namespace {

constexpr std::array<std::string_view, 13> kWords = {"\"open\":[",
                                                     "\"effectId\":\"t1\"",
                                                     "\"place\":[1,2,3]",
                                                     "\"place\":[1]",
                                                     "\"place\":[\"x\"]",
                                                     "\"claim\":{",
                                                     "\"past\":{}",
                                                     "\"end\":{\"type\":\"RUN_FAILED\"}",
                                                     "\"orphans\":[1,\"x\"]",
                                                     "\"options\":{\"timeoutMs\":1e9}",
                                                     "\"head\":[]",
                                                     "\"signalKeys\":1",
                                                     "\"version\":8"};
constexpr std::string_view kSumMark = ",\"sum\":\"";
constexpr size_t kSumSize = 8 + 32 + 2;

enum Mode : unsigned { kWitness = 1, kSealed = 2 };

std::string with_sum(std::string_view text) {
  Input input(text);
  const auto line = input.line();
  std::string body(line.size() < kSumSize ? line : line.substr(0, line.size() - kSumSize));
  body += std::string(kSumMark) + digest128(body) + "\"}\n";
  return body.append(input.rest());
}

std::optional<CachedState> load(std::string_view text, CachePart part) {
  MemoryFiles files;
  const auto run = files.root();
  run->make_dir("state");
  write_new_file(*run, "state/state.json", text, false);
  return load_state(*run, part);
}

std::string store(const CachedState& cached) {
  MemoryFiles files;
  const auto run = files.root();
  run->make_dir("state");
  store_state(*run, cached.state, cached.snapshot);
  return read_file(*run, "state/state.json").value();
}

void check_state(std::string_view text, Subject subject) {
  load(text, CachePart::kState);
  auto whole = load(text, CachePart::kSnapshot);
  if (!whole) return;
  if (!whole->state.signal_keys.blocks(0)) return;  // damaged: nothing is stored
  if (subject == Subject::kBroken) whole->state.open.clear();
  expect(load(text, CachePart::kState).has_value(), "the whole is usable, so the part is");
  const auto stored = store(*whole);
  const auto again = load(stored, CachePart::kSnapshot);
  expect(again.has_value(), "what is stored can be loaded");
  expect_equal(store(*again), stored, "what is loaded is stored as it was");
  expect(again->state.open.size() == load(text, CachePart::kState)->state.open.size(),
         "no open effect is lost");
}

void check_witness(std::string bytes, unsigned mode) {
  for (size_t at = 0; (mode & kSealed) != 0 && at + kWitnessSlotSize <= bytes.size();
       at += kWitnessSlotSize) {
    const size_t summed = kWitnessSlotSize - sizeof(uint64_t);
    const uint64_t sum = hash64(std::string_view(bytes).substr(at, summed));
    std::memcpy(&bytes[at + summed], &sum, sizeof sum);
  }
  const auto witness = decode_witness(bytes);
  if (!witness) return;
  const auto slot = encode_slot(*witness);
  bool is_there = false;
  for (size_t at = 0; at < bytes.size(); at += kWitnessSlotSize) {
    is_there = is_there || bytes.compare(at, kWitnessSlotSize, slot) == 0;
  }
  expect(is_there, "a witness is one of the slots");
}

void check(std::string_view bytes, Subject subject) {
  Input input(bytes);
  const unsigned mode = input.byte();
  if ((mode & kWitness) != 0) return check_witness(std::string(input.rest()), mode);
  check_state((mode & kSealed) != 0 ? with_sum(input.rest()) : std::string(input.rest()), subject);
}

}  // namespace

const Target kTarget{"caches", kWords, check};

}  // namespace reprise::fuzz
