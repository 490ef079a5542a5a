// Every operation of a writer fails in turn, and the power is cut after each of them. What was
// acknowledged is there; what was not is there as a whole or not at all; and the journal goes on.
#include <catch2/catch.hpp>

#include "journal/error.h"
#include "tests/fakes/fault_files.h"
#include "tests/journal/journal_fixture.h"

using namespace reprise;

namespace {

enum class Power { kStays, kFails, kFailsAndNamesSurvive };
enum class Before { kWhole, kTorn, kBeyondWitness, kNoWitness };

/// A journal as another writer left it.
void prepare(TestRun& run, Before before) {
  append(*run.dir, events({"a"}));
  const Head head = commit_heads(*run.dir).back();
  append(*run.dir, events({"b", "c"}));
  const std::string bytes = get(*run.dir, kFirstSegment);
  if (before == Before::kTorn) {
    put(*run.dir, kFirstSegment, bytes.substr(0, bytes.size() - 5));
    set_witness(*run.dir, &head);
  }
  if (before == Before::kBeyondWitness) set_witness(*run.dir, &head);
  if (before == Before::kNoWitness) set_witness(*run.dir, nullptr);
}

/// Opens and appends "x y". Returns whether it was acknowledged.
bool session(Dir& run, uint64_t segment_bytes) {
  try {
    auto journal = Journal::open(run, nullptr, Keep::kNothing, kIgnore, segment_bytes);
    journal->append(events({"x", "y"}), 9000);
    return true;
  } catch (const Error& error) {
    CHECK(error.exit() == Exit::kSystem);
    return false;
  }
}

/// What must hold whenever a session has ended, however it ended.
void check_after(Dir& run, Before before, bool acknowledged) {
  const std::string old = before == Before::kTorn ? "start a" : "start a b c";
  const std::string read = read_names(run);
  if (acknowledged) {
    REQUIRE(read == old + " x y");
  } else {
    REQUIRE((read == old || read == old + " x y"));
  }
  append(run, events({"z"}));
  REQUIRE(read_names(run) == read + " z");
}

/// Prepares, runs a session with these faults, and checks what is left. Returns how many operations
/// the session made.
uint64_t survive(Before before, uint64_t segment_bytes, Faults faults, Power power) {
  TestRun run;
  prepare(run, before);
  const bool acknowledged = session(*with_faults(run.files.root(), faults), segment_bytes);
  INFO("before " << static_cast<int>(before) << ", segment " << segment_bytes << ", fail at "
                 << faults.fail_at << ", from then on " << faults.from_then_on << ", short write "
                 << faults.short_write << ", power " << static_cast<int>(power)
                 << ", last operation " << faults.log.back());
  if (power != Power::kStays) run.files.power_loss(power == Power::kFailsAndNamesSurvive);
  check_after(*run.dir, before, acknowledged);
  return faults.count;
}

}  // namespace

TEST_CASE("a writer survives any operation that fails") {
  const auto before =
      GENERATE(Before::kWhole, Before::kTorn, Before::kBeyondWitness, Before::kNoWitness);
  const auto segment_bytes = GENERATE(kSegmentBytes, uint64_t{1});
  const auto power = GENERATE(Power::kStays, Power::kFails, Power::kFailsAndNamesSurvive);
  const uint64_t operations = survive(before, segment_bytes, Faults{}, power);
  REQUIRE(operations > 5);
  for (uint64_t fail_at = 1; fail_at <= operations; fail_at++) {
    for (const bool from_then_on : {false, true}) {
      for (const bool short_write : {false, true}) {
        Faults faults;
        faults.fail_at = fail_at;
        faults.from_then_on = from_then_on;
        faults.short_write = short_write;
        faults.error = short_write ? ENOSPC : EIO;
        survive(before, segment_bytes, faults, power);
      }
    }
  }
}

TEST_CASE("an acknowledged commit survives a power loss right after") {
  for (const uint64_t segment_bytes : {kSegmentBytes, uint64_t{1}}) {
    TestRun run;
    append(*run.dir, events({"a"}), segment_bytes);
    run.files.power_loss();
    CHECK(read_names(*run.dir) == "start a");
    append(*run.dir, events({"b"}), segment_bytes);
    run.files.power_loss();
    CHECK(read_names(*run.dir) == "start a b");
  }
}

TEST_CASE("what a writer saw survives, even when an earlier sync of it had failed") {
  for (const uint64_t segment_bytes : {kSegmentBytes, uint64_t{1}}) {
    TestRun run;
    {
      // The commit is written; its sync fails, and so does cutting it off.
      Faults faults;
      const auto dir = with_faults(run.files.root(), faults);
      auto journal = Journal::open(*dir, nullptr, Keep::kNothing, kIgnore, segment_bytes);
      // write, sync; or open, read the header, open the new segment, write, sync
      faults.fail_at = faults.count + (segment_bytes == 1 ? 5 : 2);
      faults.from_then_on = true;
      REQUIRE_THROWS_AS(journal->append(events({"a"}), 2000), Error);
      REQUIRE(faults.log[faults.fail_at - 1].starts_with("sync "));
    }
    REQUIRE(open_names(*run.dir) ==
            "start a");  // a writer that saw it may have acknowledged something because of it
    run.files.power_loss();
    CHECK(read_names(*run.dir) == "start a");
  }
}

TEST_CASE("a torn segment that was removed does not come back") {
  TestRun run;
  const Head witness = commit_heads(*run.dir).back();
  append(*run.dir, events({"a"}), 1);
  const std::string second = get(*run.dir, segment_path(2));
  put(*run.dir, segment_path(2), second.substr(0, second.size() - 5));
  set_witness(*run.dir, &witness);
  append(*run.dir, events({"b"}));
  CHECK(read_names(*run.dir) == "start b");
  run.files.power_loss();
  CHECK(read_names(*run.dir) == "start b");
}

TEST_CASE("a failed sync cuts the commit off and is not tried again") {
  TestRun run;
  const std::string before = get(*run.dir, kFirstSegment);
  Faults faults;
  const auto dir = with_faults(run.files.root(), faults);
  auto journal = Journal::open(*dir, nullptr, Keep::kNothing, kIgnore);
  const size_t opened = faults.log.size();
  faults.fail_at = faults.count + 2;
  try {
    journal->append(events({"a"}), 2000);
    FAIL("was acknowledged");
  } catch (const Error& error) {
    CHECK(error.exit() == Exit::kSystem);
    CHECK(error.hint().find("safe") != std::string::npos);
  }
  CHECK(get(*run.dir, kFirstSegment) == before);
  CHECK(std::vector<std::string>(faults.log.begin() + static_cast<ptrdiff_t>(opened),
                                 faults.log.end()) ==
        std::vector<std::string>{"write journal/00000001.jsonl", "sync journal/00000001.jsonl",
                                 "truncate journal/00000001.jsonl"});
  append(*run.dir, events({"b"}));
  CHECK(read_names(*run.dir) == "start b");
}

TEST_CASE("a commit is acknowledged when only its witness could not be written") {
  TestRun run;
  Faults faults;
  const auto dir = with_faults(run.files.root(), faults);
  auto journal = Journal::open(*dir, nullptr, Keep::kNothing, kIgnore);
  faults.fail_at = faults.count + 3;
  journal->append(events({"a"}), 2000);
  journal->append(events({"b"}), 2000);
  run.files.power_loss();
  CHECK(read_names(*run.dir) == "start a b");
}

TEST_CASE("readers survive any operation that fails") {
  TestRun run;
  append(*run.dir, events({"a"}), 1);
  put(*run.dir, segment_path(2), get(*run.dir, segment_path(2)) + "torn");
  for (uint64_t fail_at = 1;; fail_at++) {
    Faults faults;
    faults.fail_at = fail_at;
    const std::string read = read_names(*with_faults(run.files.root(), faults));
    if (faults.count < fail_at) break;
    INFO(faults.log[fail_at - 1]);
    CHECK((read == "SYSTEM_ERROR" || read == "start a"));
  }
}
