#include "journal/segment.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "journal/line.h"
#include "journal/memory_files.h"

using namespace reprise;

TEST_CASE("a segment's header names format, writer, identity and what is before it") {
  uint64_t sum = 0;
  const std::string line = encode_header(2, "run-1:00ff", 41, 0xabcd, &sum);
  REQUIRE(line.back() == '\n');
  const auto json = nlohmann::json::parse(line);
  CHECK(json["format"] == "reprise-journal");
  CHECK(json["version"] == 1);
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
}

TEST_CASE("every flipped bit of a header is found") {
  uint64_t sum = 0;
  std::string line = encode_header(1, "run-1:00ff", 1, 0xabcd, &sum);
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
  std::string line = R"({"format":"reprise-journal","version":2,"writer":"reprise 9.0.0","new":{},)"
                     R"("previous":"000000000000abcd")";
  seal_line(line, 0xabcd);
  SegmentHeader header;
  REQUIRE(decode_header(line, &header) == nullptr);
  CHECK(header.version == 2);
  CHECK(header.writer == "reprise 9.0.0");
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
