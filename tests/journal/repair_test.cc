#include <catch2/catch.hpp>

#include "journal/error.h"
#include "tests/fakes/fault_files.h"
#include "tests/journal/journal_fixture.h"

using namespace reprise;

namespace {

/// Commits a; b c; d.
void append_a_to_d(Dir& run, uint64_t segment_bytes = kSegmentBytes) {
  append(run, events({"a"}), segment_bytes);
  append(run, events({"b", "c"}), segment_bytes);
  append(run, events({"d"}), segment_bytes);
}

std::string repair_code(Dir& run, bool accept_loss) {
  try {
    repair_journal(run, accept_loss, false);
  } catch (const Error& error) {
    return error.code();
  }
  return "";
}

void damage_byte(Dir& run, std::string_view path, uint64_t at) {
  std::string bytes = get(run, path);
  bytes[at] ^= 1;
  put(run, path, bytes);
}

}  // namespace

TEST_CASE("a whole journal needs no repair") {
  TestRun run;
  append_a_to_d(*run.dir);
  const Repair repair = repair_journal(*run.dir, true, false);
  CHECK_FALSE(repair.needed);
  CHECK(repair.dropped_bytes == 0);
  CHECK(repair.kept_in.empty());
  CHECK(read_names(*run.dir) == "start a b c d");
}

TEST_CASE("a torn tail is repaired without a question") {
  TestRun run;
  append_a_to_d(*run.dir);
  put(*run.dir, kFirstSegment, get(*run.dir, kFirstSegment) + "torn");
  const Repair repair = repair_journal(*run.dir, false, false);
  CHECK(repair.needed);
  CHECK(repair.dropped_bytes == 4);
  CHECK(repair.dropped_records == 0);
  CHECK(repair.kept_in.starts_with("journal/torn/"));
  CHECK(get(*run.dir, repair.kept_in) == "torn");
  CHECK_FALSE(repair_journal(*run.dir, false, false).needed);
  CHECK(read_names(*run.dir) == "start a b c d");
}

TEST_CASE("a loss must be accepted") {
  TestRun run;
  append_a_to_d(*run.dir);
  const std::vector<Head> heads = commit_heads(*run.dir);
  damage_byte(*run.dir, kFirstSegment, heads[1].offset + 9);
  const std::string damaged = get(*run.dir, kFirstSegment);
  CHECK(repair_code(*run.dir, false) == "LOSS_NOT_ACCEPTED");
  CHECK(get(*run.dir, kFirstSegment) == damaged);

  const Repair plan = repair_journal(*run.dir, false, true);
  CHECK(plan.needed);
  CHECK(plan.before.damage->kind == "corrupt");
  CHECK(plan.dropped_records == 2);
  CHECK(plan.dropped_bytes == damaged.size() - heads[1].offset);
  CHECK(get(*run.dir, kFirstSegment) == damaged);

  const Repair repair = repair_journal(*run.dir, true, false);
  CHECK(repair.dropped_records == 2);
  CHECK(get(*run.dir, repair.kept_in) == damaged.substr(heads[1].offset));
  CHECK(read_names(*run.dir) == "start a");
  CHECK_FALSE(repair_journal(*run.dir, true, false).needed);
  append(*run.dir, events({"new"}));
  CHECK(read_names(*run.dir) == "start a new");
}

TEST_CASE("a corrupt segment takes the later ones with it, and all are kept") {
  TestRun run;
  append_a_to_d(*run.dir, 1);
  const std::string third = get(*run.dir, segment_path(3));
  const std::string fourth = get(*run.dir, segment_path(4));
  damage_byte(*run.dir, segment_path(3), 5);
  const Repair repair = repair_journal(*run.dir, true, false);
  CHECK(repair.dropped_bytes == third.size() + fourth.size());
  CHECK(list_segments(*run.dir) == std::vector<uint32_t>{1, 2});
  const auto kept = run.dir->list("journal/damaged");
  REQUIRE(kept.size() == 2);
  CHECK(repair.kept_in == "journal/damaged/" + kept[0]);
  CHECK(get(*run.dir, "journal/damaged/" + kept[1]) == fourth);
  CHECK(read_names(*run.dir) == "start a");
  append(*run.dir, events({"new"}), 1);
  CHECK(read_names(*run.dir) == "start a new");
}

TEST_CASE("going on without missing records has to be said, and then holds") {
  TestRun run;
  append_a_to_d(*run.dir);
  const std::vector<Head> heads = commit_heads(*run.dir);
  put(*run.dir, kFirstSegment, get(*run.dir, kFirstSegment).substr(0, heads[2].offset - 3));
  CHECK(read_names(*run.dir) == "JOURNAL_RECORDS_MISSING");
  CHECK(repair_code(*run.dir, false) == "LOSS_NOT_ACCEPTED");
  put(*run.dir, kWitnessPath, get(*run.dir, kWitnessPath));  // the disk has it by now
  run.dir->sync_dir("state");
  const Repair repair = repair_journal(*run.dir, true, false);
  CHECK(repair.before.damage->missing == 3);
  CHECK(read_names(*run.dir) == "start a");
  run.files.power_loss();
  CHECK(read_names(*run.dir) == "start a");
  append(*run.dir, events({"new"}));
  CHECK(read_names(*run.dir) == "start a new");
}

TEST_CASE("a witness that contradicts the journal is replaced, and no record is dropped") {
  TestRun run;
  append_a_to_d(*run.dir);
  Head wrong = commit_heads(*run.dir)[2];
  wrong.sum ^= 1;
  set_witness(*run.dir, &wrong);
  CHECK(read_names(*run.dir) == "JOURNAL_CORRUPT");
  const Repair repair = repair_journal(*run.dir, true, false);
  CHECK(repair.dropped_bytes == 0);
  CHECK(read_names(*run.dir) == "start a b c d");
}

TEST_CASE("a torn tail does not hide that the witness names another record") {
  TestRun run;
  append_a_to_d(*run.dir);
  Head wrong = commit_heads(*run.dir)[2];
  wrong.sum ^= 1;
  set_witness(*run.dir, &wrong);
  put(*run.dir, kFirstSegment, get(*run.dir, kFirstSegment) + "torn");
  const std::string damaged = get(*run.dir, kFirstSegment);
  CHECK(read_names(*run.dir) == "JOURNAL_CORRUPT");
  CHECK(open_names(*run.dir) == "JOURNAL_CORRUPT");
  CHECK(repair_code(*run.dir, false) == "LOSS_NOT_ACCEPTED");
  CHECK(get(*run.dir, kFirstSegment) == damaged);
  const Repair repair = repair_journal(*run.dir, true, false);
  CHECK(get(*run.dir, repair.kept_in) == "torn");
  CHECK(read_names(*run.dir) == "start a b c d");
  CHECK_FALSE(repair_journal(*run.dir, true, false).needed);
}

TEST_CASE("a journal without one whole commit cannot be repaired") {
  TestRun run;
  append_a_to_d(*run.dir);
  damage_byte(*run.dir, kFirstSegment, 3);
  const std::string damaged = get(*run.dir, kFirstSegment);
  CHECK(repair_code(*run.dir, true) == "JOURNAL_LOST");
  CHECK(get(*run.dir, kFirstSegment) == damaged);
}

TEST_CASE(
    "whatever byte is damaged, repair makes the journal readable and repeating it changes "
    "nothing") {
  TestRun original;
  append_a_to_d(*original.dir, 600);
  for (const uint32_t segment : list_segments(*original.dir)) {
    const size_t size = get(*original.dir, segment_path(segment)).size();
    for (size_t at = 0; at < size; at++) {
      TestRun run;
      append_a_to_d(*run.dir, 600);
      damage_byte(*run.dir, segment_path(segment), at);
      INFO("segment " << segment << ", byte " << at);
      if (repair_code(*run.dir, true) == "JOURNAL_LOST") continue;
      const std::string names = read_names(*run.dir);
      REQUIRE(std::string("start a b c d").starts_with(names));
      REQUIRE_FALSE(repair_journal(*run.dir, true, false).needed);
      REQUIRE(read_names(*run.dir) == names);
    }
  }
}

TEST_CASE("a repair that fails or loses power at any operation can be repeated") {
  for (const bool power : {false, true}) {
    for (uint64_t fail_at = 1;; fail_at++) {
      TestRun run;
      append_a_to_d(*run.dir, 1);
      const std::string third = get(*run.dir, segment_path(3));
      damage_byte(*run.dir, segment_path(2), 200);
      Faults faults;
      faults.fail_at = fail_at;
      faults.from_then_on = true;
      bool failed = false;
      try {
        repair_journal(*with_faults(run.files.root(), faults), true, false);
      } catch (const Error& error) {
        failed = true;
        CHECK(error.exit() == Exit::kSystem);
      }
      if (power) run.files.power_loss();
      INFO("fail at " << fail_at << " of " << faults.count);
      repair_journal(*run.dir, true, false);
      REQUIRE(read_names(*run.dir) == "start");
      bool kept = false;
      for (const std::string& name : run.dir->list("journal/damaged")) {
        kept = kept || get(*run.dir, "journal/damaged/" + name) == third;
      }
      REQUIRE(kept);
      if (!failed) break;
    }
  }
}

TEST_CASE("what the witness names is never torn, not even within a commit") {
  TestRun run;
  append_a_to_d(*run.dir);
  Head within;
  read_journal(*run.dir, nullptr, Keep::kNothing, [&](const RecordView& record) {
    if (record.more) {
      within = {record.seq, record.place.segment, record.place.offset + record.place.length + 1,
                record.sum, record.at_ms};
    }
  });
  set_witness(*run.dir, &within);
  put(*run.dir, kFirstSegment, get(*run.dir, kFirstSegment).substr(0, within.offset + 9));
  CHECK(read_names(*run.dir) != "start a");
  CHECK(open_names(*run.dir) == read_names(*run.dir));
  repair_journal(*run.dir, true, false);
  CHECK(read_names(*run.dir) == "start a");
}
