// What a damaged journal is taken for: torn, corrupt or missing. Cut at every offset, swapped,
// spliced, with and without a witness.
#include <catch2/catch.hpp>

#include "journal/error.h"
#include "journal/line.h"
#include "tests/journal/journal_fixture.h"

using namespace reprise;

namespace {

/// Commits of one, two and three records.
const std::string kNames[] = {"start", "start a b", "start a b c", "start a b c d e f"};

void append_a_to_f(Dir& run, uint64_t segment_bytes = kSegmentBytes) {
  append(run, events({"a", "b"}), segment_bytes);
  append(run, events({"c"}), segment_bytes);
  append(run, events({"d", "e", "f"}), segment_bytes);
}

Error reading_error(Dir& run) {
  try {
    read_journal(run, nullptr, Keep::kNothing, kIgnore);
  } catch (const Error& error) {
    return error;
  }
  return Error(Exit::kOk, "", "");
}

std::string garbage(size_t size) {
  std::string bytes;
  for (size_t i = 0; i < size; i++) bytes += static_cast<char>(i * 37 + 11);
  return bytes;
}

}  // namespace

TEST_CASE("cut at every offset, a journal is torn, missing or clean, and never accepted wrongly") {
  TestRun run;
  append_a_to_f(*run.dir);
  const std::string whole = get(*run.dir, kFirstSegment);
  const std::vector<Head> heads = commit_heads(*run.dir);
  REQUIRE(heads.size() == 4);

  for (size_t known = 0; known <= heads.size();
       known++) {  // commits that the witness knows; 0: there is none
    for (const std::string& behind : {std::string(), std::string(700, '\0'), garbage(700)}) {
      for (size_t cut = 0; cut <= whole.size(); cut++) {
        put(*run.dir, kFirstSegment, whole.substr(0, cut) + behind);
        set_witness(*run.dir, known == 0 ? nullptr : &heads[known - 1]);
        size_t commits = 0;
        while (commits < heads.size() && heads[commits].offset <= cut) commits++;

        INFO("witness " << known << ", cut " << cut << ", behind " << behind.size());
        const std::string read = read_names(*run.dir);
        if (commits < known || commits == 0) {
          if (behind.empty()) {
            REQUIRE(read == "JOURNAL_RECORDS_MISSING");
          } else {
            REQUIRE((read == "JOURNAL_RECORDS_MISSING" || read == "JOURNAL_CORRUPT"));
          }
          REQUIRE(open_names(*run.dir) == read);
          continue;
        }
        REQUIRE(read == kNames[commits - 1]);
        const auto scan = read_journal(*run.dir, nullptr, Keep::kNothing, kIgnore);
        REQUIRE(scan->tail.torn_bytes == cut + behind.size() - heads[commits - 1].offset);
        append(*run.dir, events({"new"}));
        REQUIRE(read_names(*run.dir) == read + " new");
      }
    }
  }
}

TEST_CASE("every torn tail is kept") {
  TestRun run;
  append_a_to_f(*run.dir);
  const std::string whole = get(*run.dir, kFirstSegment);
  const std::vector<Head> heads = commit_heads(*run.dir);
  for (size_t cut = heads[2].offset + 1; cut < whole.size(); cut++) {
    put(*run.dir, kFirstSegment, whole.substr(0, cut));
    set_witness(*run.dir, &heads[2]);
    run.dir->remove_tree("journal/torn");
    append(*run.dir, events({"new"}));
    const auto kept = run.dir->list("journal/torn");
    REQUIRE(kept.size() == 1);
    REQUIRE(get(*run.dir, "journal/torn/" + kept[0]) ==
            whole.substr(heads[2].offset, cut - heads[2].offset));
  }
}

TEST_CASE("any segment but the last, cut at any offset, is missing records") {
  TestRun run;
  append_a_to_f(*run.dir, 1);
  const std::vector<Head> heads = commit_heads(*run.dir);
  REQUIRE(list_segments(*run.dir).size() == 4);
  for (const uint32_t segment : {1u, 2u, 3u}) {
    const std::string whole = get(*run.dir, segment_path(segment));
    for (size_t known = 0; known <= heads.size(); known++) {
      for (size_t cut = 0; cut < whole.size(); cut++) {
        put(*run.dir, segment_path(segment), whole.substr(0, cut));
        set_witness(*run.dir, known == 0 ? nullptr : &heads[known - 1]);
        INFO("segment " << segment << ", witness " << known << ", cut " << cut);
        REQUIRE(read_names(*run.dir) == "JOURNAL_RECORDS_MISSING");
        REQUIRE(open_names(*run.dir) == "JOURNAL_RECORDS_MISSING");
      }
    }
    put(*run.dir, segment_path(segment), whole);
  }
}

TEST_CASE("a segment that is gone is missing, with or without a witness") {
  TestRun run;
  append_a_to_f(*run.dir, 1);
  const Head last = commit_heads(*run.dir).back();
  for (const uint32_t segment : {1u, 2u, 3u, 4u}) {
    const std::string whole = get(*run.dir, segment_path(segment));
    run.dir->remove(segment_path(segment));
    set_witness(*run.dir, &last);
    CHECK(read_names(*run.dir) == "JOURNAL_RECORDS_MISSING");
    set_witness(*run.dir, nullptr);
    CHECK(read_names(*run.dir) == (segment == 4 ? kNames[2] : "JOURNAL_RECORDS_MISSING"));
    put(*run.dir, segment_path(segment), whole);
  }
  run.dir->remove_tree("journal");
  CHECK(read_names(*run.dir) == "JOURNAL_RECORDS_MISSING");
  set_witness(*run.dir, &last);
  CHECK(read_names(*run.dir) == "JOURNAL_RECORDS_MISSING");
}

TEST_CASE("missing records are counted, and the way out is named") {
  TestRun run;
  append_a_to_f(*run.dir);
  const std::vector<Head> heads = commit_heads(*run.dir);
  const std::string whole = get(*run.dir, kFirstSegment);
  put(*run.dir, kFirstSegment, whole.substr(0, heads[1].offset));
  Error error = reading_error(*run.dir);
  CHECK(error.exit() == Exit::kCorrupt);
  CHECK(error.message().starts_with(
      "4 records after seq 3 are missing: an incomplete copy, or lost disk writes"));
  CHECK(error.hint().find("run:repair-journal RUN --accept-loss") != std::string::npos);
  put(*run.dir, kFirstSegment, whole.substr(0, heads[2].offset));
  set_witness(*run.dir, &heads[3]);
  error = reading_error(*run.dir);
  CHECK(error.message().starts_with("3 records after seq 4 are missing"));
}

TEST_CASE("corruption names segment, line, offset and reason") {
  TestRun run;
  append_a_to_f(*run.dir);
  std::string bytes = get(*run.dir, kFirstSegment);
  const std::vector<std::string> lines = lines_of(bytes);
  const size_t third = lines[0].size() + lines[1].size();
  bytes[third + 30] ^= 1;
  put(*run.dir, kFirstSegment, bytes);
  const Error error = reading_error(*run.dir);
  CHECK(error.code() == "JOURNAL_CORRUPT");
  CHECK(error.exit() == Exit::kCorrupt);
  CHECK(error.message() == "the journal is corrupt: journal/00000001.jsonl, line 3, offset " +
                               std::to_string(third) +
                               ": the sum does not match (whole up to seq 1)");
  CHECK(error.details() == "{\"segment\":1,\"line\":3,\"offset\":" + std::to_string(third) +
                               ",\"reason\":\"the sum does not match\",\"lastGoodSeq\":1,"
                               "\"recordsAfter\":5,\"missing\":0}");
}

TEST_CASE(
    "damage behind the witness is torn when the last commit reaches it, and corrupt when it does "
    "not") {
  TestRun run;
  append_a_to_f(*run.dir);
  const std::string whole = get(*run.dir, kFirstSegment);
  const std::vector<Head> heads = commit_heads(*run.dir);
  for (const Head* witness : {static_cast<const Head*>(nullptr), &heads[0], &heads[1], &heads[2]}) {
    for (uint64_t at = heads[0].offset; at < whole.size(); at++) {
      if (witness != nullptr && at < witness->offset) continue;
      std::string bytes = whole;
      bytes[at] = '\0';
      put(*run.dir, kFirstSegment, bytes);
      set_witness(*run.dir, witness);
      INFO("witness " << (witness != nullptr ? witness->seq : 0) << ", damage at " << at);
      // Behind heads[2] lies the last commit of three records.
      REQUIRE(read_names(*run.dir) == (at < heads[2].offset ? "JOURNAL_CORRUPT" : kNames[2]));
    }
  }
}

TEST_CASE("a commit whose first block was lost is torn, though its end is whole") {
  TestRun run;
  append_a_to_f(*run.dir);
  std::string bytes = get(*run.dir, kFirstSegment);
  const std::vector<Head> heads = commit_heads(*run.dir);
  const size_t first = bytes.find('\n', heads[2].offset) - heads[2].offset;
  bytes.replace(heads[2].offset, first + 40, first + 40, '\0');
  put(*run.dir, kFirstSegment, bytes);
  set_witness(*run.dir, &heads[2]);
  CHECK(read_names(*run.dir) == kNames[2]);
  append(*run.dir, events({"new"}));
  CHECK(read_names(*run.dir) == kNames[2] + " new");
}

TEST_CASE("whole records of an unfinished commit behind the damage make it corrupt") {
  TestRun run;
  append_a_to_f(*run.dir);
  std::string bytes = get(*run.dir, kFirstSegment);
  const std::vector<Head> heads = commit_heads(*run.dir);
  bytes[heads[1].offset + 30] ^= 1;  // c, alone in its commit
  bytes.resize(bytes.size() - 10);   // and the end of the commit behind it is torn
  put(*run.dir, kFirstSegment, bytes);
  set_witness(*run.dir, &heads[1]);
  CHECK(read_names(*run.dir) == "JOURNAL_CORRUPT");
}

TEST_CASE("a record behind one whose sum is damaged is still recognised") {
  TestRun run;
  const Head witness = commit_heads(*run.dir).back();
  append(*run.dir, events({"a"}));
  append(*run.dir, events({"b"}));
  const std::string whole = get(*run.dir, kFirstSegment);
  const Head damaged = commit_heads(*run.dir)[1];
  for (uint64_t at = damaged.offset - kAnchorSize; at < damaged.offset - 1; at++) {
    std::string bytes = whole;
    bytes[at] ^= 1;
    put(*run.dir, kFirstSegment, bytes);
    set_witness(*run.dir, &witness);
    REQUIRE(read_names(*run.dir) == "JOURNAL_CORRUPT");
  }
}

TEST_CASE("older records behind the end are no torn tail") {
  TestRun run;
  append_a_to_f(*run.dir);
  const std::string whole = get(*run.dir, kFirstSegment);
  const std::vector<std::string> lines = lines_of(whole);
  put(*run.dir, kFirstSegment, whole + lines[lines.size() - 2] + lines[lines.size() - 1]);
  CHECK(read_names(*run.dir) == "JOURNAL_CORRUPT");
  set_witness(*run.dir, nullptr);
  CHECK(read_names(*run.dir) == "JOURNAL_CORRUPT");
}

TEST_CASE("lines that are swapped, deleted, doubled or foreign are found") {
  TestRun run;
  append_a_to_f(*run.dir);
  const std::string whole = get(*run.dir, kFirstSegment);
  const std::vector<std::string> lines = lines_of(whole);
  const Head last = commit_heads(*run.dir).back();
  TestRun other("run-2:00ff");
  append_a_to_f(*other.dir);
  const std::vector<std::string> foreign = lines_of(get(*other.dir, kFirstSegment));
  REQUIRE(foreign.size() == lines.size());

  const auto must_fail = [&](const std::vector<std::string>& changed, const std::string& what) {
    INFO(what);
    put(*run.dir, kFirstSegment, joined(changed));
    set_witness(*run.dir, &last);
    const std::string read = read_names(*run.dir);
    REQUIRE((read == "JOURNAL_CORRUPT" || read == "JOURNAL_RECORDS_MISSING"));
    REQUIRE(verify_journal(*run.dir).damage);
    // Without a witness the last commit may be taken for torn, but nothing wrong is ever accepted.
    set_witness(*run.dir, nullptr);
    const std::string blind = read_names(*run.dir);
    const bool prefix = std::find(std::begin(kNames), std::end(kNames), blind) != std::end(kNames);
    REQUIRE((prefix || blind.starts_with("JOURNAL_")));
  };
  for (size_t i = 0; i < lines.size(); i++) {
    const std::string at = std::to_string(i);
    std::vector<std::string> changed = lines;
    changed.erase(changed.begin() + static_cast<ptrdiff_t>(i));
    must_fail(changed, "deleted " + at);
    changed = lines;
    changed[i] = foreign[i];
    must_fail(changed, "foreign " + at);
    for (size_t j = 0; j < i; j++) {
      changed = lines;
      std::swap(changed[i], changed[j]);
      must_fail(changed, "swapped " + at + " and " + std::to_string(j));
    }
    if (i + 1 == lines.size()) continue;  // a double behind the last record is a torn tail
    changed = lines;
    changed.insert(changed.begin() + static_cast<ptrdiff_t>(i), lines[i]);
    must_fail(changed, "doubled " + at);
  }
}

TEST_CASE("the journal of another run is not taken for this one's") {
  TestRun run;
  append_a_to_f(*run.dir);
  TestRun other("run-2:00ff");
  append_a_to_f(*other.dir);
  put(*run.dir, kFirstSegment, get(*other.dir, kFirstSegment));
  CHECK(read_names(*run.dir) == "JOURNAL_CORRUPT");
}

TEST_CASE("segments of another run, or in another order, are found") {
  TestRun run;
  append_a_to_f(*run.dir, 1);
  TestRun other("run-2:00ff");
  append_a_to_f(*other.dir, 1);
  const Head last = commit_heads(*run.dir).back();
  std::vector<std::string> segments;
  for (const uint32_t segment : {1u, 2u, 3u, 4u})
    segments.push_back(get(*run.dir, segment_path(segment)));
  for (const bool witness : {true, false}) {
    for (uint32_t segment = 1; segment <= 4; segment++) {
      set_witness(*run.dir, witness ? &last : nullptr);
      put(*run.dir, segment_path(segment), get(*other.dir, segment_path(segment)));
      CHECK(read_names(*run.dir) == "JOURNAL_CORRUPT");
      put(*run.dir, segment_path(segment), segments[segment % 4]);
      CHECK(read_names(*run.dir) == "JOURNAL_CORRUPT");
      put(*run.dir, segment_path(segment), segments[segment - 1]);
    }
    CHECK(read_names(*run.dir) == kNames[3]);
  }
}

TEST_CASE("a witness that names another record than the journal holds is corruption") {
  TestRun run;
  append_a_to_f(*run.dir);
  const std::vector<Head> heads = commit_heads(*run.dir);
  for (Head wrong : {heads[1], heads[2], heads[3]}) {
    wrong.sum ^= 1;
    set_witness(*run.dir, &wrong);
    CHECK(read_names(*run.dir) == "JOURNAL_CORRUPT");
    CHECK(open_names(*run.dir) == "JOURNAL_CORRUPT");
    CHECK(verify_journal(*run.dir).damage->kind == "corrupt");
    wrong.sum ^= 1;
    wrong.seq += 1;
    set_witness(*run.dir, &wrong);
    CHECK(read_names(*run.dir).starts_with("JOURNAL_"));
  }
}

TEST_CASE("a commit with right sums and a wrong number of records is corrupt") {
  TestRun run;
  const Head head = commit_heads(*run.dir).back();
  uint64_t sum = 0;
  const std::string before = get(*run.dir, kFirstSegment);
  put(*run.dir, kFirstSegment,
      before + encode_record(event("a"), 2, 2000, false, 2, head.sum, &sum) + '\n');
  CHECK(read_names(*run.dir) == "JOURNAL_CORRUPT");
  put(*run.dir, kFirstSegment,
      before + encode_record(event("a"), 3, 2000, false, 1, head.sum, &sum) + '\n');
  CHECK(read_names(*run.dir) == "JOURNAL_CORRUPT");
  put(*run.dir, kFirstSegment,
      before + encode_record(event("a"), 2, 2000, false, 1, head.sum, &sum) + '\n');
  CHECK(read_names(*run.dir) == "start a");
}

TEST_CASE("something planted where the journal should be is an error, and no hang") {
  TestRun run;
  run.dir->remove(kFirstSegment);
  run.files.plant(kFirstSegment);
  CHECK(read_names(*run.dir) == "NOT_A_FILE");
  CHECK(open_names(*run.dir) == "NOT_A_FILE");
}
