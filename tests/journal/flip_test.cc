// Every bit of a journal of twenty records is flipped in turn.
#include <catch2/catch.hpp>

#include "journal/error.h"
#include "tests/journal/journal_fixture.h"

using namespace reprise;

namespace {

void append_a_to_s(Dir& run, uint64_t segment_bytes) {
  append(run, events({"a", "b", "c", "d", "e", "f"}), segment_bytes);
  append(run, events({"g"}), segment_bytes);
  append(run, events({"h", "i", "j", "k", "l", "m", "n", "o"}), segment_bytes);
  append(run, events({"p", "q", "r", "s"}), segment_bytes);
}

template <class Check>
void flip_each_bit(Dir& run, const std::string& path, Check check, size_t step = 1) {
  const std::string whole = get(run, path);
  const auto file = run.open(path, Access::kWrite);
  for (size_t bit = 0; bit < whole.size() * 8; bit += step) {
    const char flipped = static_cast<char>(whole[bit / 8] ^ (1 << (bit % 8)));
    file->write_at(bit / 8, {&flipped, 1});
    INFO(path << ", bit " << bit);
    check(bit / 8);
    file->write_at(bit / 8, {&whole[bit / 8], 1});
  }
}

}  // namespace

TEST_CASE("every flipped bit is found by reading and by verifying") {
  for (const uint64_t segment_bytes : {kSegmentBytes, uint64_t{1}}) {
    TestRun run;
    append_a_to_s(*run.dir, segment_bytes);
    for (const uint32_t segment : list_segments(*run.dir)) {
      const std::string path = segment_path(segment);
      flip_each_bit(*run.dir, path, [&](uint64_t) { REQUIRE(verify_journal(*run.dir).damage); });
      const auto read = [&](uint64_t) { REQUIRE(read_names(*run.dir).starts_with("JOURNAL_")); };
      flip_each_bit(*run.dir, path, read, 9);
    }
    REQUIRE(read_names(*run.dir) == "start a b c d e f g h i j k l m n o p q r s");
  }
}

TEST_CASE("without a witness every flipped bit is found, at least as a torn tail") {
  TestRun run;
  append_a_to_s(*run.dir, kSegmentBytes);
  const Head before_last = commit_heads(*run.dir)[3];
  run.dir->remove(kWitnessPath);
  flip_each_bit(*run.dir, kFirstSegment, [&](uint64_t at) {
    const Verdict verdict = verify_journal(*run.dir);
    if (at < before_last.offset) {
      REQUIRE(verdict.damage);
    } else {
      REQUIRE((verdict.damage || verdict.tail.torn_bytes > 0));
      REQUIRE(verdict.records <= before_last.seq);
    }
  });
}

TEST_CASE("who reads behind a head finds every flipped bit behind it") {
  TestRun run;
  append_a_to_s(*run.dir, kSegmentBytes);
  const Head from = commit_heads(*run.dir)[3];
  flip_each_bit(*run.dir, kFirstSegment, [&](uint64_t at) {
    if (at >= from.offset) REQUIRE(read_names(*run.dir, &from) == "JOURNAL_CORRUPT");
  });
}

TEST_CASE("a flipped bit of the witness never makes a whole journal unreadable") {
  TestRun run;
  append_a_to_s(*run.dir, kSegmentBytes);
  flip_each_bit(*run.dir, kWitnessPath, [&](uint64_t) {
    REQUIRE(read_names(*run.dir) == "start a b c d e f g h i j k l m n o p q r s");
  });
}

TEST_CASE("verify says how far the journal is whole and how much follows the damage") {
  TestRun run;
  append_a_to_s(*run.dir, kSegmentBytes);
  CHECK(verify_journal(*run.dir).records == 20);
  CHECK_FALSE(verify_journal(*run.dir).damage);
  const std::vector<Head> heads = commit_heads(*run.dir);
  std::string bytes = get(*run.dir, kFirstSegment);
  bytes[heads[1].offset + 5] ^= 1;  // g
  put(*run.dir, kFirstSegment, bytes);
  const Verdict verdict = verify_journal(*run.dir);
  CHECK(verdict.records == 7);
  CHECK(verdict.head.offset == heads[1].offset);
  REQUIRE(verdict.damage);
  CHECK(verdict.damage->kind == "corrupt");
  CHECK(verdict.damage->line == 9);
  CHECK(verdict.damage->offset == heads[1].offset);
  CHECK(verdict.damage->last_good_seq == 7);
  CHECK(verdict.damage->records_after == 12);
}
