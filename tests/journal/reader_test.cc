#include <catch2/catch.hpp>

#include "journal/error.h"
#include "journal/line.h"
#include "tests/fakes/fault_files.h"
#include "tests/journal/journal_fixture.h"

using namespace reprise;

TEST_CASE("records are read in order, with their commits") {
  TestRun run;
  append(*run.dir, events({"a", "b", "c"}));
  append(*run.dir, events({"d"}));
  CHECK(read_names(*run.dir) == "start a b c d");

  std::vector<RecordView> seen;
  const auto scan = read_journal(*run.dir, nullptr, Keep::kBuffers,
                                 [&](const RecordView& record) { seen.push_back(record); });
  REQUIRE(seen.size() == 5);
  CHECK(seen[1].seq == 2);
  CHECK(seen[1].more);
  CHECK(seen[3].count == 3);
  CHECK(seen[3].at_ms == 1001);
  CHECK(seen[4].data == R"({"name":"d"})");  // the views outlive the visit, as asked
  CHECK(scan->head.seq == 5);
  CHECK(scan->head.sum == seen[4].sum);
  CHECK(scan->head.at_ms == 1002);
  CHECK(scan->head.offset == get(*run.dir, kFirstSegment).size());
  CHECK(scan->tail.torn_bytes == 0);
  CHECK(scan->tail.has_witness);
  CHECK_FALSE(scan->tail.beyond_witness);
}

TEST_CASE("reading goes on behind any head") {
  TestRun run;
  append(*run.dir, events({"a", "b"}), 1);
  append(*run.dir, events({"c"}));
  append(*run.dir, events({"d"}), 1);
  REQUIRE(list_segments(*run.dir).size() == 3);
  const std::string rest[] = {"a b c d", "c d", "d", ""};
  const std::vector<Head> heads = commit_heads(*run.dir);
  REQUIRE(heads.size() == 4);
  for (size_t i = 0; i < heads.size(); i++) {
    CHECK(read_names(*run.dir, &heads[i]) == rest[i]);
    CHECK(open_names(*run.dir, &heads[i]) == rest[i]);
    CHECK(read_journal(*run.dir, &heads[i], Keep::kNothing, kIgnore)->head == heads.back());
  }
}

TEST_CASE("a segment of another identity does not go on, wherever reading begins") {
  TestRun run;
  append(*run.dir, events({"a"}));
  const std::vector<Head> heads = commit_heads(*run.dir);
  const Head& last = heads.back();
  uint64_t sum = 0;
  std::string segment = encode_header(kNewestFormat, 2, "run-2:00ff", last.seq + 1, last.sum, &sum);
  segment += encode_record(event("b"), last.seq + 1, last.at_ms, false, 1, sum, &sum) + '\n';
  put(*run.dir, segment_path(2), segment);
  CHECK(read_names(*run.dir) == "JOURNAL_CORRUPT");
  CHECK(read_names(*run.dir, &heads[0]) == "JOURNAL_CORRUPT");
  CHECK(open_names(*run.dir) == "JOURNAL_CORRUPT");
  CHECK(open_names(*run.dir, &heads[0]) == "JOURNAL_CORRUPT");
}

TEST_CASE("reading behind a head opens no earlier segment") {
  TestRun run;
  for (const char* name : {"a", "b", "c"}) append(*run.dir, events({name}), 1);
  const Head last = commit_heads(*run.dir).back();
  Faults faults;
  const auto counted = with_faults(run.files.root(), faults);
  CHECK(read_names(*counted, &last).empty());
  CHECK(faults.log ==
        std::vector<std::string>{"open state/head", "read state/head",
                                 "open journal/00000004.jsonl", "stat journal/00000004.jsonl",
                                 "read journal/00000004.jsonl", "open journal/00000005.jsonl"});
}

TEST_CASE("a head of another journal, or ahead of this one, is stale") {
  TestRun run;
  append(*run.dir, events({"a"}));
  append(*run.dir, events({"b"}));
  const Head good = commit_heads(*run.dir)[1];
  std::vector<Head> stale(7, good);
  stale[0].sum ^= 1;
  stale[1].offset += 1;
  stale[2].offset += 100'000;
  stale[3].segment = 2;
  stale[4].offset = 3;
  stale[5].segment = 0;
  stale[6].seq += 10;
  for (const Head& head : stale) {
    CHECK(open_names(*run.dir, &head) != "b");
    if (head.seq == good.seq) {
      CHECK(read_names(*run.dir, &head) == "stale");
      CHECK(open_names(*run.dir, &head) == "stale");
    }
  }
  CHECK(read_names(*run.dir, &good) == "b");
}

TEST_CASE("a reader sees a commit that is not acknowledged yet, and says so") {
  TestRun run;
  append(*run.dir, events({"a"}));
  const Head before = commit_heads(*run.dir).back();
  append(*run.dir, events({"b"}));
  set_witness(*run.dir, &before);
  auto scan = read_journal(*run.dir, nullptr, Keep::kNothing, kIgnore);
  CHECK(scan->head.seq == 3);
  CHECK(scan->tail.beyond_witness);
  CHECK(scan->tail.certain);
  run.files.reboot();
  CHECK_FALSE(read_journal(*run.dir, nullptr, Keep::kNothing, kIgnore)->tail.certain);
}

TEST_CASE("readers change nothing") {
  TestRun run;
  append(*run.dir, events({"a"}));
  put(*run.dir, kFirstSegment, get(*run.dir, kFirstSegment) + "torn");
  Faults faults;
  const auto counted = with_faults(run.files.root(), faults);
  CHECK(read_names(*counted) == "start a");
  for (const std::string& operation : faults.log) {
    INFO(operation);
    CHECK((operation.starts_with("open ") || operation.starts_with("read ") ||
           operation.starts_with("stat ") || operation.starts_with("list ")));
  }
}

TEST_CASE(
    "damage that is gone when it is read again is not reported, and nothing is visited twice") {
  // A writer is in the middle of its commit when the reader comes: the second reading finds it
  // whole.
  class Finishing final : public File {
   public:
    Finishing(std::unique_ptr<File> file, int& readings)
        : x_file(std::move(file)), x_readings(readings) {}
    size_t read_at(uint64_t offset, char* buffer, size_t size) override {
      const size_t got = x_file->read_at(offset, buffer, size);
      return x_readings++ == 0 ? got - 40 : got;
    }
    void write_at(uint64_t, std::string_view) override {}
    void sync() override {}
    void truncate(uint64_t) override {}
    FileStat stat() override { return x_file->stat(); }

   private:
    std::unique_ptr<File> x_file;
    int& x_readings;
  };
  class Busy final : public Dir {
   public:
    explicit Busy(std::unique_ptr<Dir> dir) : x_dir(std::move(dir)) {}
    std::unique_ptr<File> open(std::string_view path, Access access) override {
      auto file = x_dir->open(path, access);
      if (!file || path != kFirstSegment) return file;
      return std::make_unique<Finishing>(std::move(file), x_readings);
    }
    std::unique_ptr<Dir> open_dir(std::string_view path) override { return x_dir->open_dir(path); }
    std::optional<FileStat> stat(std::string_view path) override { return x_dir->stat(path); }
    bool make_dir(std::string_view path) override { return x_dir->make_dir(path); }
    std::vector<std::string> list(std::string_view path) override { return x_dir->list(path); }
    bool rename(std::string_view, std::string_view, bool) override { return false; }
    bool remove(std::string_view) override { return false; }
    void remove_tree(std::string_view) override {}
    void sync_dir(std::string_view) override {}
    std::unique_ptr<FileLock> lock(std::string_view, LockMode, int64_t, std::string_view) override {
      return nullptr;
    }
    std::string path() const override { return x_dir->path(); }
    BootId boot_id() override { return x_dir->boot_id(); }

   private:
    std::unique_ptr<Dir> x_dir;
    int x_readings = 0;
  };
  TestRun run;
  append(*run.dir, events({"a"}));
  append(*run.dir, events({"b"}));
  Busy with_witness(run.files.root());
  CHECK(read_names(with_witness) == "start a b");
  run.dir->remove(kWitnessPath);
  Busy without(run.files.root());
  CHECK(read_names(without) == "start a b");
}

TEST_CASE("damage that stays is reported after a last reading under the lock") {
  TestRun run;
  append(*run.dir, events({"a"}));
  std::string bytes = get(*run.dir, kFirstSegment);
  bytes[bytes.size() / 2] ^= 1;
  put(*run.dir, kFirstSegment, bytes);
  const auto lock = run.dir->lock("run.lock", LockMode::kShared, 0, "");
  Faults faults;
  const auto counted = with_faults(run.files.root(), faults);
  CHECK(read_names(*counted) == "JOURNAL_CORRUPT");
  const auto locks = std::count(faults.log.begin(), faults.log.end(), "lock run.lock");
  const auto readings =
      std::count(faults.log.begin(), faults.log.end(), "read " + std::string(kFirstSegment));
  CHECK(locks == 1);
  CHECK(readings >= 4);
}

TEST_CASE("one record can be read again by its place") {
  TestRun run;
  append(*run.dir, events({"a", "b"}));
  std::vector<Place> places;
  read_journal(*run.dir, nullptr, Keep::kNothing,
               [&](const RecordView& record) { places.push_back(record.place); });
  std::string buffer;
  for (size_t i = 0; i < places.size(); i++) {
    const RecordView record = read_record(*run.dir, places[i], buffer);
    CHECK(record.seq == i + 1);
    CHECK(record.place.offset == places[i].offset);
  }
  CHECK(read_record(*run.dir, places[2], buffer).data == R"({"name":"b"})");

  const std::string whole = get(*run.dir, kFirstSegment);
  for (uint64_t at = places[1].offset - kAnchorSize; at < places[1].offset + places[1].length;
       at++) {
    if (at == places[1].offset - 1) continue;  // the newline before belongs to nothing
    std::string bytes = whole;
    bytes[at] ^= 4;
    put(*run.dir, kFirstSegment, bytes);
    INFO(at);
    CHECK_THROWS_AS(read_record(*run.dir, places[1], buffer), Error);
  }
  put(*run.dir, kFirstSegment, whole);
  CHECK_THROWS_AS(read_record(*run.dir, {2, 0, 10}, buffer), Error);
  CHECK_THROWS_AS(read_record(*run.dir, {1, whole.size() - 5, 100}, buffer), Error);
  CHECK_THROWS_AS(read_record(*run.dir, {1, 0, places[0].length}, buffer), Error);
}

TEST_CASE("a type that only a newer version knows is an error that names the writer") {
  TestRun run;
  const Head head = commit_heads(*run.dir).back();
  std::string line =
      R"({"seq":2,"type":"PARTY_STARTED","at":"2026-11-21T20:15:02.114Z","n":1,"data":{})";
  seal_line(line, head.sum);
  put(*run.dir, kFirstSegment, get(*run.dir, kFirstSegment) + line + '\n');
  for (const bool witness : {true, false}) {
    if (!witness) run.dir->remove(kWitnessPath);
    CHECK(read_names(*run.dir) == "JOURNAL_TOO_NEW");
    CHECK(open_names(*run.dir) == "JOURNAL_TOO_NEW");
  }
  try {
    read_journal(*run.dir, nullptr, Keep::kNothing, kIgnore);
  } catch (const Error& error) {
    CHECK(error.exit() == Exit::kCorrupt);
    CHECK(error.message().find("reprise " REPRISE_VERSION) != std::string::npos);
  }
}

TEST_CASE("a segment in a newer format is an error that names the writer") {
  TestRun run;
  std::string line = R"({"format":"reprise-journal","version":3,"writer":"reprise 9.0.0",)"
                     R"("previous":"0000000000000000")";
  seal_line(line, 0);
  put(*run.dir, kFirstSegment, line + '\n');
  try {
    read_journal(*run.dir, nullptr, Keep::kNothing, kIgnore);
    FAIL("was accepted");
  } catch (const Error& error) {
    CHECK(error.code() == "JOURNAL_TOO_NEW");
    CHECK(error.message().find("reprise 9.0.0") != std::string::npos);
  }
}
