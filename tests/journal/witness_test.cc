#include "journal/witness.h"

#include <catch2/catch.hpp>

#include "journal/memory_files.h"
#include "tests/journal/journal_fixture.h"

using namespace reprise;

namespace {

Witness example(uint64_t generation) {
  Witness witness;
  witness.head = {7, 2, 4711, 0x9f86d081884c7d65, 0};
  witness.generation = generation;
  witness.boot[0] = 1;
  return witness;
}

}  // namespace

TEST_CASE("a witness is read as it was written") {
  const std::string slot = encode_slot(example(3));
  REQUIRE(slot.size() == kWitnessSlotSize);
  const auto read = decode_witness(slot);
  REQUIRE(read);
  CHECK(same_place(read->head, example(3).head));
  CHECK(read->generation == 3);
  CHECK(read->boot == example(3).boot);
}

TEST_CASE("of two slots the newer counts") {
  CHECK(decode_witness(encode_slot(example(4)) + encode_slot(example(3)))->generation == 4);
  CHECK(decode_witness(encode_slot(example(4)) + encode_slot(example(5)))->generation == 5);
}

TEST_CASE("every flipped bit makes a slot invalid, and the other one counts") {
  const std::string good = encode_slot(example(3));
  const std::string newer = encode_slot(example(4));
  for (size_t bit = 0; bit < kWitnessSlotSize * 8; bit++) {
    std::string flipped = newer;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    REQUIRE_FALSE(decode_witness(flipped));
    REQUIRE(decode_witness(flipped + good)->generation == 3);
    REQUIRE(decode_witness(good + flipped)->generation == 3);
  }
}

TEST_CASE("a witness of any other size or content is none") {
  CHECK_FALSE(decode_witness(""));
  CHECK_FALSE(decode_witness(std::string(kWitnessSize, '\0')));
  const std::string slot = encode_slot(example(3));
  for (size_t size = 0; size < slot.size(); size++)
    CHECK_FALSE(decode_witness(slot.substr(0, size)));
}

TEST_CASE("the slots are written in turn") {
  MemoryFiles files;
  const auto dir = files.root();
  WitnessFile witness(*dir);
  CHECK_FALSE(witness.last());
  for (uint64_t seq = 1; seq <= 5; seq++) {
    const std::string before = get(*dir, kWitnessPath);
    witness.move_to({seq, 1, seq * 100, seq, 0});
    const std::string after = get(*dir, kWitnessPath);
    CHECK(read_witness(*dir)->head.seq == seq);
    if (seq < 3) continue;
    // Whatever happens to this write, the witness before it is still there, in the other half.
    const bool first_kept = before.substr(0, kWitnessSlotSize) == after.substr(0, kWitnessSlotSize);
    const auto kept = decode_witness(first_kept ? after.substr(0, kWitnessSlotSize)
                                                : after.substr(kWitnessSlotSize));
    REQUIRE(kept);
    CHECK(kept->head.seq == seq - 1);
  }
  WitnessFile again(*dir);
  CHECK(again.last()->head.seq == 5);
  again.move_to({6, 1, 600, 6, 0});
  CHECK(read_witness(*dir)->head.seq == 6);
}

TEST_CASE("a witness knows its boot") {
  MemoryFiles files;
  const auto dir = files.root();
  WitnessFile(*dir).move_to({1, 1, 100, 1, 0});
  CHECK(of_this_boot(*dir, *read_witness(*dir)));
  files.reboot();
  CHECK_FALSE(of_this_boot(*dir, *read_witness(*dir)));
  CHECK_FALSE(of_this_boot(*dir, Witness{}));
}
