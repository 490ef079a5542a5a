#include "journal/record.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "journal/hash.h"
#include "journal/line.h"

using namespace reprise;

namespace {

constexpr uint64_t kBefore = 0x1234;

std::string sealed(std::string body) {
  seal_line(body, kBefore);
  return body;
}

std::string record_fault(const std::string& line) {
  RecordView record;
  const char* reason = decode_record(line, kBefore, &record);
  return reason == nullptr ? "" : reason;
}

}  // namespace

TEST_CASE("a record is one line of a fixed layout") {
  uint64_t sum = 0;
  const NewRecord record{RecordType::kEffectResolved, 6, 7, R"({"effectId":"t1"})"};
  const std::string line = encode_record(record, 7, 1'795'292'102'114, false, 2, kBefore, &sum);
  CHECK(line == R"({"seq":7,"type":"EFFECT_RESOLVED","at":"2026-11-21T20:15:02.114Z",)"
                R"("cause":6,"applied":7,"n":2,)"
                R"("data":{"effectId":"t1"},"sum":")" +
                    format_hex64(sum) + "\"}");
  CHECK(nlohmann::json::accept(line));
}

TEST_CASE("a record is read as it was written") {
  for (const bool more : {false, true}) {
    for (const uint64_t cause : {uint64_t{0}, uint64_t{6}}) {
      for (const uint64_t applied : {uint64_t{0}, uint64_t{1} << 60}) {
        uint64_t sum = 0;
        const NewRecord record{RecordType::kEventEmitted, cause, applied,
                               R"({"sum":"0000000000000000"})"};
        const std::string line = encode_record(record, 9, 1000, more, 3, kBefore, &sum);
        RecordView view;
        REQUIRE(decode_record(line, kBefore, &view) == nullptr);
        CHECK(view.seq == 9);
        CHECK(view.type == RecordType::kEventEmitted);
        CHECK(view.at_ms == 1000);
        CHECK(view.cause == cause);
        CHECK(view.applied == applied);
        CHECK(view.more == more);
        CHECK(view.count == (more ? 0 : 3));
        CHECK(view.data == record.data);
        CHECK(view.sum == sum);
      }
    }
  }
}

TEST_CASE("nothing of the record before is left in the next one") {
  const std::string at = R"("at":"2026-11-21T20:15:02.114Z",)";
  RecordView view;
  const auto read = [&](const std::string& rest) {
    const std::string line = sealed(R"({"seq":7,"type":"ITERATED",)" + at + rest + R"("data":{})");
    REQUIRE(decode_record(line, kBefore, &view) == nullptr);
  };
  read(R"("cause":5,"applied":6,"n":4294967295,)");
  CHECK(view.count == 4294967295);
  read(R"("more":true,)");
  CHECK(view.cause == 0);
  CHECK(view.applied == 0);
  CHECK(view.count == 0);
  CHECK(view.more);
  read(R"("n":1,)");
  CHECK_FALSE(view.more);
}

TEST_CASE("each type has a name of its own") {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(RecordType::kIterated); i++) {
    const auto type = static_cast<RecordType>(i);
    CHECK(parse_record_type(record_type_name(type)) == type);
    names.insert(record_type_name(type));
  }
  CHECK(names.size() == 20);
  CHECK_FALSE(parse_record_type(""));
  CHECK_FALSE(parse_record_type("run_created"));
  CHECK_FALSE(parse_record_type("RUN_CREATED2"));
}

TEST_CASE("the sum is XXH3-64 of the line's bytes before it, seeded with the sum before") {
  uint64_t sum = 0;
  const std::string line =
      encode_record({RecordType::kIterated, 0, 1, "{}"}, 2, 0, false, 1, kBefore, &sum);
  CHECK(hash64(line.substr(0, line.size() - kSumSize), kBefore) == sum);
  RecordView view;
  CHECK(decode_record(line, kBefore + 1, &view) == std::string("the sum does not match"));
}

TEST_CASE("every flipped bit of a record is found") {
  uint64_t sum = 0;
  const std::string line = encode_record({RecordType::kSignalReceived, 0, 0, R"({"name":"x"})"}, 3,
                                         0, false, 1, kBefore, &sum);
  for (size_t bit = 0; bit < line.size() * 8; bit++) {
    std::string flipped = line;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    INFO(flipped);
    REQUIRE_FALSE(record_fault(flipped).empty());
  }
}

TEST_CASE("every shorter line is no record") {
  uint64_t sum = 0;
  const std::string line =
      encode_record({RecordType::kIterated, 0, 1, "{}"}, 2, 0, false, 1, kBefore, &sum);
  for (size_t size = 0; size < line.size(); size++) {
    REQUIRE_FALSE(record_fault(line.substr(0, size)).empty());
    REQUIRE_FALSE(record_fault(line.substr(size + 1)).empty());
  }
}

TEST_CASE("a line that is too short for a sum has none") {
  for (size_t size = 0; size < kSumSize; ++size) {
    CHECK(record_fault(std::string(size, '{')) == "the line does not end with a sum");
  }
}

TEST_CASE("an end that is not written as a sum is none") {
  const std::string line = sealed(R"({"seq":7)");
  for (const auto& [at, other] : {std::pair(kSumSize - 2, 'S'), std::pair(size_t{2}, ' '),
                                  std::pair(size_t{1}, ' '), std::pair(size_t{3}, 'g')}) {
    std::string changed = line;
    changed[line.size() - at] = other;
    INFO(changed);
    CHECK(record_fault(changed) == "the line does not end with a sum");
  }
}

TEST_CASE("a number is read as it is written, and nothing behind it") {
  const auto rest_of = [](std::string_view text, uint64_t expected) -> std::string {
    LineReader line(text);
    uint64_t value = 0;
    if (!line.number(&value)) return "none";
    CHECK(value == expected);
    return std::string(line.rest());
  };
  CHECK(rest_of(std::string_view("09").substr(0, 1), 0).empty());  // what is behind it is no digit
  CHECK(rest_of(std::string_view("123").substr(0, 2), 12).empty());
  CHECK(rest_of("0,", 0) == ",");
  CHECK(rest_of("0x", 0) == "x");
  CHECK(rest_of("10x", 10) == "x");
  CHECK(rest_of("18446744073709551615", UINT64_MAX).empty());
  for (const std::string_view text : {"", "x", "-1", "+1", " 1", "00", "05", "09"}) {
    INFO(text);
    CHECK(rest_of(text, 0) == "none");
  }
}

TEST_CASE("what a line cannot give is not taken from it") {
  LineReader line("2026\"");
  std::string_view text = "untouched";
  CHECK_FALSE(line.skip("2027"));
  CHECK_FALSE(line.until(',', &text));
  CHECK_FALSE(line.take(6, &text));
  CHECK(text == "untouched");
  CHECK(line.rest() == "2026\"");
  CHECK(line.until('"', &text));
  CHECK(text == "2026");
  CHECK(line.rest().empty());
  CHECK_FALSE(line.until('"', &text));
  CHECK(line.take(0, &text));
  CHECK(LineReader("2026").take(4, &text));
  CHECK(text == "2026");
}

TEST_CASE("a line with a right sum and another layout is no record") {
  const std::string at = R"("at":"2026-11-21T20:15:02.114Z",)";
  const std::string begin = R"({"seq":7,"type":"ITERATED",)" + at;
  CHECK(record_fault(sealed(begin + R"("n":1,"data":{})")).empty());
  CHECK(record_fault(sealed(R"({"seq":7,"type":"PARTY_STARTED",)" + at + R"("n":1,"data":{})")) ==
        kUnknownRecordType);
  for (const std::string& body : std::initializer_list<std::string>{
           std::string("{}"),
           std::string(R"({"seq":-7,"type":"ITERATED",)") + at + R"("n":1,"data":{})",
           std::string(R"({"type":"ITERATED","seq":7,)") + at + R"("n":1,"data":{})",
           R"({"seq":7,"type":"ITERATED","at":"2026-11-21T20:15:02.114+","n":1,"data":{})",
           begin + R"("data":{})",
           begin + R"("n":0,"data":{})",
           begin + R"("n":4294967296,"data":{})",
           begin + R"("more":false,"data":{})",
           std::string(R"({"seq":07,"type":"ITERATED",)") + at + R"("n":1,"data":{})",
           begin + R"("cause":0,"n":1,"data":{})",
           begin + R"("applied":007,"n":1,"data":{})",
           begin + R"("cause":x,"n":1,"data":{})",
           begin + R"("applied":,"n":1,"data":{})",
           begin + R"("cause":5"n":1,"data":{})",
           begin + R"("applied":6"n":1,"data":{})",
           begin + R"("applied":0,"n":1,"data":{})",
           begin + R"("n":1,"data":{])",
           begin + R"("n":1,"data":[})",
           begin + R"("n":1,"data":{)",
           begin + R"("n":1,"data":})",
           begin + R"("n":1,"data":[])",
           begin + R"("n":1,"data":)",
           begin + R"("n":1)",
           begin + R"("n":18446744073709551616,"data":{})"}) {
    INFO(body);
    CHECK_FALSE(record_fault(sealed(body)).empty());
  }
}
