#include "journal/segment.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "journal/error.h"
#include "journal/line.h"
#include "journal/memory_files.h"

using namespace reprise;

namespace {

constexpr uint64_t kPrevious = 0xabcd;
const std::string kNamesPrevious = R"(,"previous":"000000000000abcd")";

/// What is wrong with a header of this body; empty when it is read.
std::string header_fault(std::string body) {
  seal_line(body, kPrevious);
  SegmentHeader header;
  const char* reason = decode_header(body, &header);
  return reason == nullptr ? "" : reason;
}

/// A file that claims a size, and notes what is asked of it.
class LargeFile final : public File {
 public:
  explicit LargeFile(uint64_t size) : x_size(size) {}

  size_t read_at(uint64_t offset, char* buffer, size_t size) override {
    asked.emplace_back(offset, size);
    std::fill_n(buffer, size, 'x');
    return size;
  }
  void write_at(uint64_t, std::string_view) override { FAIL("it is only read"); }
  void sync() override { FAIL("it is only read"); }
  void truncate(uint64_t) override { FAIL("it is only read"); }
  FileStat stat() override { return {.size = x_size}; }

  std::vector<std::pair<uint64_t, size_t>> asked;

 private:
  uint64_t x_size;
};

}  // namespace

TEST_CASE("a segment's header names format, writer, identity and what is before it") {
  uint64_t sum = 0;
  const std::string line = encode_header(kNewestFormat, 2, "run-1:00ff", 41, 0xabcd, &sum);
  REQUIRE(line.back() == '\n');
  const auto json = nlohmann::json::parse(line);
  CHECK(json["format"] == "reprise-journal");
  CHECK(json["version"] == 2);
  CHECK(json["writer"] == "reprise " REPRISE_VERSION);
  CHECK(json["segment"] == 2);
  CHECK(json["identity"] == "run-1:00ff");
  CHECK(json["first"] == 41);
  CHECK(json["previous"] == "000000000000abcd");
  CHECK(json["sum"] == format_hex64(sum));

  SegmentHeader header;
  REQUIRE(decode_header(std::string_view(line).substr(0, line.size() - 1), &header) == nullptr);
  CHECK(header.segment == 2);
  CHECK(header.identity == "run-1:00ff");
  CHECK(header.first == 41);
  CHECK(header.previous == 0xabcd);
  CHECK(header.sum == sum);
  CHECK(header.version == 2);
}

TEST_CASE("a header in the format without rules is written and read the same, but for its number") {
  uint64_t sum = 0;
  const auto old = encode_header(kFormatWithoutRules, 1, "run-1:00ff", 1, 0xabcd, &sum);
  CHECK(old.starts_with(R"({"format":"reprise-journal","version":1,"writer":)"));
  SegmentHeader header;
  REQUIRE(decode_header(std::string_view(old).substr(0, old.size() - 1), &header) == nullptr);
  CHECK(header.version == 1);
  CHECK(header.identity == "run-1:00ff");
}

TEST_CASE("every flipped bit of a header is found") {
  uint64_t sum = 0;
  std::string line = encode_header(kNewestFormat, 1, "run-1:00ff", 1, 0xabcd, &sum);
  line.pop_back();
  for (size_t bit = 0; bit < line.size() * 8; bit++) {
    std::string flipped = line;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    INFO(flipped);
    SegmentHeader header;
    REQUIRE(decode_header(flipped, &header) != nullptr);
  }
}

TEST_CASE("a header in a newer format still says who wrote it") {
  std::string line = R"({"format":"reprise-journal","version":3,"writer":"reprise 9.0.0","new":{},)"
                     R"("previous":"000000000000abcd")";
  seal_line(line, 0xabcd);
  SegmentHeader header;
  REQUIRE(decode_header(line, &header) == nullptr);
  CHECK(header.version == 3);
  CHECK(header.writer == "reprise 9.0.0");
}

TEST_CASE("a header that is not written as headers are says what is missing") {
  const std::string begin = R"({"format":"reprise-journal","version":1,"writer":"me","segment":1,)";
  const std::string whole = begin + R"("identity":"run-1:00ff","first":1)";
  CHECK(header_fault(whole + kNamesPrevious).empty());
  for (size_t size = 0; size < kNamesPrevious.size(); ++size) {
    CHECK(header_fault(std::string(size, ' ')) == "the header names no sum before it");
  }
  for (const std::string previous :
       {R"(,"Previous":"000000000000abcd")", R"(,"previous":"000000000000abcd ,)",
        R"(,"previous":"000000000000abcg")"}) {
    CHECK(header_fault(whole + previous) == "the header names no sum before it");
  }
  CHECK(header_fault(kNamesPrevious) == "the segment does not begin with a journal header");
  CHECK(header_fault(R"({"format":"reprise-journal","version":x)" + kNamesPrevious) ==
        "the segment does not begin with a journal header");
  CHECK(header_fault(R"({"format":"reprise-journal","version":1,"Writer":"me")" + kNamesPrevious) ==
        "the segment does not begin with a journal header");
  for (const std::string& body :
       {begin, begin + R"("identity":"run-1:00ff")", whole + "0x", whole + ",", begin + "x",
        begin + R"("identity":"run-1:00ff","first":)"}) {
    INFO(body);
    CHECK(header_fault(body + kNamesPrevious) == "the segment's header is incomplete");
  }
}

TEST_CASE("a segment that is missing, empty or no journal has no header") {
  MemoryFiles files;
  const auto run = files.root();
  REQUIRE(run->make_dir("journal"));
  CHECK_FALSE(read_header(*run, 1));
  const auto file = run->open(segment_path(1), Access::kCreate);
  CHECK_FALSE(read_header(*run, 1));
  file->write_at(0, "a line without a sum\n");
  CHECK_FALSE(read_header(*run, 1));
  uint64_t sum = 0;
  file->write_at(0, encode_header(kNewestFormat, 1, "run-1:00ff", 1, kPrevious, &sum));
  REQUIRE(read_header(*run, 1));
  CHECK(read_header(*run, 1)->sum == sum);
}

TEST_CASE("a journal of a newer version says who began it, and what it holds") {
  CHECK(too_new_error(3, {.writer = "reprise 9.0.0"}, "a record of an unknown type").message() ==
        "journal/00000003.jsonl, begun by reprise 9.0.0, holds a record of an unknown type");
  CHECK(too_new_error(3, {}, "format 2").message() ==
        "journal/00000003.jsonl, begun by an unknown version, holds format 2");
}

TEST_CASE("a chunk is what is behind its offset, and no segment is longer than 4 GiB") {
  constexpr uint64_t kLongest = uint64_t{4} << 30;
  LargeFile file(kLongest);
  const auto chunk = read_chunk(file, 1, kLongest - 3);
  CHECK(std::string_view(chunk.bytes.get(), chunk.size) == "xxx");
  CHECK(file.asked == decltype(file.asked){{kLongest - 3, 3}});
  file.asked.clear();
  CHECK(read_chunk(file, 1, kLongest).size == 0);
  CHECK(read_chunk(file, 1, kLongest + 1).size == 0);
  CHECK(file.asked.empty());
  LargeFile longer(kLongest + 1);
  CHECK_THROWS_AS(read_chunk(longer, 1, kLongest), Error);
}

TEST_CASE("what is named otherwise than a segment is none") {
  MemoryFiles files;
  const auto run = files.root();
  REQUIRE(run->make_dir("journal"));
  for (const char* name : {"00000002.jsonl", "00000010.jsonl", "letters_.jsonl", "0000003x.jsonl",
                           "-0000001.jsonl", "3.jsonl", "000000004.jsonl", "00000005.json1"}) {
    run->open(std::string("journal/") + name, Access::kCreate);
  }
  CHECK(list_segments(*run) == std::vector<uint32_t>{2, 10});
}
