#include <catch2/catch.hpp>

#include "journal/error.h"
#include "tests/fakes/fault_files.h"
#include "tests/journal/journal_fixture.h"

using namespace reprise;

namespace {

size_t count(const Faults& faults, std::string_view prefix) {
  return static_cast<size_t>(
      std::count_if(faults.log.begin(), faults.log.end(),
                    [&](const std::string& operation) { return operation.starts_with(prefix); }));
}

}  // namespace

TEST_CASE("a commit is one write and one sync, and the witness follows unsynced") {
  TestRun run;
  append(*run.dir, events({"a"}));
  const Head head = commit_heads(*run.dir).back();
  Faults faults;
  const auto counted = with_faults(run.files.root(), faults);
  auto journal = Journal::open(*counted, &head, Keep::kNothing, kIgnore);
  CHECK(faults.log ==
        std::vector<std::string>{"open state/head", "read state/head",
                                 "open journal/00000001.jsonl", "stat journal/00000001.jsonl",
                                 "read journal/00000001.jsonl", "open journal/00000002.jsonl"});
  faults.log.clear();
  journal->append(events({"b", "c"}), 2000);
  CHECK(faults.log == std::vector<std::string>{"write journal/00000001.jsonl",
                                               "sync journal/00000001.jsonl", "write state/head"});
  CHECK(read_names(*run.dir) == "start a b c");
}

TEST_CASE("append returns the places of its records") {
  TestRun run;
  for (const uint64_t segment_bytes : {kSegmentBytes, uint64_t{1}}) {
    auto journal = Journal::open(*run.dir, nullptr, Keep::kNothing, kIgnore, segment_bytes);
    const uint64_t seq = journal->head().seq;
    const std::vector<Place> places = journal->append(events({"a", "bb"}), 5000);
    REQUIRE(places.size() == 2);
    std::string buffer;
    CHECK(read_record(*run.dir, places[0], buffer).seq == seq + 1);
    CHECK(read_record(*run.dir, places[1], buffer).data == R"({"name":"bb"})");
    CHECK(journal->head().seq == seq + 2);
    CHECK(journal->head() == commit_heads(*run.dir).back());
  }
}

TEST_CASE("a journal appends again and again") {
  TestRun run;
  auto journal = Journal::open(*run.dir, nullptr, Keep::kNothing, kIgnore, 600);
  std::string expected = "start";
  for (int i = 0; i < 30; i++) {
    const std::string name = "e" + std::to_string(i);
    const NewRecord record = event(name);
    journal->append({&record, 1}, 2000 + i);
    expected += ' ' + name;
  }
  CHECK(read_names(*run.dir) == expected);
  CHECK(list_segments(*run.dir).size() > 5);
}

TEST_CASE("a new segment begins with a commit, never inside one") {
  TestRun run;
  append(*run.dir, events({"a", "b", "c"}), 1);
  append(*run.dir, events({"d"}));
  REQUIRE(list_segments(*run.dir) == std::vector<uint32_t>{1, 2});
  CHECK(get(*run.dir, segment_path(1)).find("\"a\"") == std::string::npos);
  const auto header = read_header(*run.dir, 2);
  REQUIRE(header);
  CHECK(header->first == 2);
  CHECK(header->previous == commit_heads(*run.dir)[0].sum);
  CHECK(read_names(*run.dir) == "start a b c d");
}

TEST_CASE("a commit that needs a newer format begins a segment in it") {
  TestRun run;
  run.files = MemoryFiles();
  run.dir = run.files.root();
  const NewRecord first = event("start");
  start_journal(*run.dir, "run-1:00ff", {&first, 1}, 1000, kFormatWithoutRules);
  const auto before = get(*run.dir, segment_path(1));
  auto journal = Journal::open(*run.dir, nullptr, Keep::kNothing, kIgnore);
  auto late = Journal::open(*run.dir, nullptr, Keep::kNothing, kIgnore);
  journal->append(events({"a"}), 2000, kFormatWithoutRules);
  const auto old = get(*run.dir, segment_path(1));
  CHECK(old.starts_with(before));
  CHECK(late->is_untouched() == false);
  late = Journal::open(*run.dir, nullptr, Keep::kNothing, kIgnore);
  journal->append(events({"b", "c"}), 2000, kNewestFormat);
  CHECK(get(*run.dir, segment_path(1)) == old);
  CHECK(list_segments(*run.dir) == std::vector<uint32_t>{1, 2});
  CHECK(read_header(*run.dir, 1)->version == kFormatWithoutRules);
  CHECK(read_header(*run.dir, 2)->version == kNewestFormat);
  journal->append(events({"d"}), 2000, kNewestFormat);
  append(*run.dir, events({"e"}), 1);
  CHECK(list_segments(*run.dir) == std::vector<uint32_t>{1, 2, 3});
  CHECK(read_header(*run.dir, 3)->version == kNewestFormat);
  CHECK(read_names(*run.dir) == "start a b c d e");

  SECTION("which a writer notices that was there before, also when the witness was not moved") {
    const auto heads = commit_heads(*run.dir);
    const auto second = get(*run.dir, segment_path(2));
    run.dir->remove(segment_path(3));
    run.dir->remove(segment_path(2));
    set_witness(*run.dir, &heads[1]);
    late = Journal::open(*run.dir, nullptr, Keep::kNothing, kIgnore);
    CHECK(late->is_untouched());
    put(*run.dir, segment_path(2), second);
    CHECK_FALSE(late->is_untouched());
  }
}

TEST_CASE("a new segment costs two syncs, of its file and of the folder") {
  TestRun run;
  const Head head = commit_heads(*run.dir).back();
  Faults faults;
  const auto counted = with_faults(run.files.root(), faults);
  auto journal = Journal::open(*counted, &head, Keep::kNothing, kIgnore, 1);
  journal->append(events({"a"}), 2000);
  CHECK(count(faults, "sync journal/00000002.jsonl") == 1);
  CHECK(count(faults, "sync_dir journal") == 1);
  CHECK(count(faults, "sync") == 2);
  CHECK(count(faults, "write journal/00000002.jsonl") == 1);
}

TEST_CASE("time never goes back within a journal") {
  TestRun run;
  auto journal = Journal::open(*run.dir, nullptr, Keep::kNothing, kIgnore);
  CHECK(journal->head().at_ms == 1000);
  CHECK_THROWS_AS(journal->append(events({"a"}), 999), Error);
  journal->append(events({"a"}), 1000);
  CHECK(read_names(*run.dir) == "start a");
}

TEST_CASE("a commit is records without line breaks, at least one") {
  TestRun run;
  auto journal = Journal::open(*run.dir, nullptr, Keep::kNothing, kIgnore);
  CHECK_THROWS_AS(journal->append({}, 2000), Error);
  auto again = Journal::open(*run.dir, nullptr, Keep::kNothing, kIgnore);
  const NewRecord broken = event("a\nb");
  CHECK_THROWS_AS(again->append({&broken, 1}, 2000), Error);
  CHECK(read_names(*run.dir) == "start");
}

TEST_CASE("a journal is not used after an append that failed") {
  TestRun run;
  Faults faults;
  const auto counted = with_faults(run.files.root(), faults);
  auto journal = Journal::open(*counted, nullptr, Keep::kNothing, kIgnore);
  faults.fail_at = faults.count + 1;
  CHECK_THROWS_AS(journal->append(events({"a"}), 2000), Error);
  try {
    journal->append(events({"b"}), 2000);
    FAIL("was used");
  } catch (const Error& error) {
    CHECK(error.code() == "JOURNAL_FAILED");
  }
}

TEST_CASE("open keeps the buffers of what it visited when asked") {
  TestRun run;
  append(*run.dir, events({"a"}), 1);
  std::vector<RecordView> seen;
  const auto journal = Journal::open(*run.dir, nullptr, Keep::kBuffers,
                                     [&](const RecordView& record) { seen.push_back(record); });
  REQUIRE(seen.size() == 2);
  CHECK(journal->buffers().size() == 2);
  CHECK(seen[0].data == R"({"name":"start"})");
  CHECK(seen[1].data == R"({"name":"a"})");
}

TEST_CASE("a writer writes whole commits behind the witness again, and moves it") {
  TestRun run;
  append(*run.dir, events({"a"}), 1);
  append(*run.dir, events({"b"}), 1);
  const std::vector<Head> heads = commit_heads(*run.dir);
  for (const Head* witness : {static_cast<const Head*>(nullptr), &heads[0], &heads[1], &heads[2]}) {
    set_witness(*run.dir, witness);
    Faults faults;
    const auto counted = with_faults(run.files.root(), faults);
    for (const Head* from : {static_cast<const Head*>(nullptr), &heads[0], &heads[2]}) {
      set_witness(*run.dir, witness);
      faults.log.clear();
      const auto journal = Journal::open(*counted, from, Keep::kNothing, kIgnore);
      REQUIRE(journal);
      CHECK(journal->head() == heads[2]);
      const size_t behind = witness == nullptr ? 3 : 3 - witness->seq;
      CHECK(count(faults, "write journal/") == behind);
      CHECK(count(faults, "sync journal/") == behind);
      CHECK(same_place(read_witness(*run.dir)->head, heads[2]));
      CHECK(read_names(*run.dir) == "start a b");
    }
  }
}

TEST_CASE("a torn tail is kept, then cut off, before anything is appended") {
  TestRun run;
  append(*run.dir, events({"a"}));
  const std::string whole = get(*run.dir, kFirstSegment);
  put(*run.dir, kFirstSegment, whole + "{\"seq\":3,\"ty");
  Faults faults;
  const auto counted = with_faults(run.files.root(), faults);
  auto journal = Journal::open(*counted, nullptr, Keep::kNothing, kIgnore);
  CHECK(journal->tail().torn_bytes == 12);
  CHECK(journal->tail().certain);
  CHECK(get(*run.dir, kFirstSegment) == whole);
  const auto kept = run.dir->list("journal/torn");
  REQUIRE(kept.size() == 1);
  CHECK(kept[0].starts_with("00000001-" + std::to_string(whole.size()) + "-"));
  CHECK(get(*run.dir, "journal/torn/" + kept[0]) == "{\"seq\":3,\"ty");

  const auto at = [&](std::string_view prefix) {
    for (size_t i = 0; i < faults.log.size(); i++) {
      if (faults.log[i].starts_with(prefix)) return i;
    }
    return faults.log.size();
  };
  CHECK(at("sync journal/torn/") < at("truncate"));
  CHECK(at("sync_dir journal/torn") < at("truncate"));
  CHECK(at("truncate") < at("sync journal/00000001.jsonl"));
  journal->append(events({"b"}), 3000);
  CHECK(read_names(*run.dir) == "start a b");
}

TEST_CASE("a torn new segment is removed as a whole") {
  TestRun run;
  append(*run.dir, events({"a"}), 1);
  const std::string second = get(*run.dir, segment_path(2));
  const Head witness = commit_heads(*run.dir)[0];
  for (size_t size = 0; size < second.size(); size++) {
    put(*run.dir, segment_path(2), second.substr(0, size));
    set_witness(*run.dir, &witness);
    INFO(size);
    REQUIRE(read_names(*run.dir) == "start");
    REQUIRE(open_names(*run.dir) == "start");
    REQUIRE(list_segments(*run.dir) == std::vector<uint32_t>{1});
    append(*run.dir, events({"b"}), 1);
    REQUIRE(read_names(*run.dir) == "start b");
  }
}

TEST_CASE("something in the way of a new segment is an error") {
  TestRun run;
  auto journal = Journal::open(*run.dir, nullptr, Keep::kNothing, kIgnore, 1);
  put(*run.dir, segment_path(2), "x");
  CHECK_THROWS_AS(journal->append(events({"a"}), 2000), Error);
  CHECK(read_names(*run.dir) == "start");
}
