// Lines of a segment: whatever is accepted is what the writer writes, byte for byte, and whatever
// the writer writes is accepted.
//
// A mutated line hardly ever has the right sum, so each line is judged twice: as it is, and with
// the sum that it should have.
#include <array>

#include "journal/error.h"
#include "journal/record.h"
#include "journal/segment.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/sealed.h"
#include "tests/fuzz/target.h"

namespace reprise::fuzz {

namespace {

constexpr std::array<std::string_view, 18> kWords = {"{\"seq\":",
                                                     ",\"type\":\"",
                                                     "RUN_CREATED\"",
                                                     "ITERATED\"",
                                                     ",\"at\":\"",
                                                     "2026-11-21T20:15:02.114Z\",",
                                                     "\"cause\":",
                                                     "\"applied\":",
                                                     "\"more\":true,",
                                                     "\"n\":1,",
                                                     "\"data\":{}",
                                                     ",\"sum\":\"0123456789abcdef\"}",
                                                     "{\"format\":\"reprise-journal\",\"version\":",
                                                     ",\"writer\":\"",
                                                     ",\"segment\":",
                                                     ",\"identity\":\"",
                                                     ",\"first\":",
                                                     ",\"previous\":\""};

const char* decode(std::string_view line, uint64_t previous, RecordView* record, Subject subject) {
  const char* reason = decode_record(line, previous, record);
  if (subject == Subject::kBroken) record->cause = 0;
  return reason;
}

void check_record(std::string_view line, uint64_t previous, Subject subject) {
  RecordView read;
  if (decode(line, previous, &read, subject) != nullptr) return;
  uint64_t sum = 0;
  const NewRecord again{read.type, read.cause, read.applied, std::string(read.data)};
  expect_equal(encode_record(again, read.seq, read.at_ms, read.more, read.count, previous, &sum),
               line, "a record that is accepted is written as the same line");
  expect(sum == read.sum, "the sum that was read is the line's");
}

void check_header(std::string_view line) {
  SegmentHeader read;
  if (decode_header(line, &read) != nullptr || !is_known_format(read.version)) return;
  if (read.writer != "reprise " REPRISE_VERSION || read.segment > UINT32_MAX) return;
  uint64_t sum = 0;
  const auto again = encode_header(read.version, static_cast<uint32_t>(read.segment), read.identity,
                                   read.first, read.previous, &sum);
  expect_equal(again, std::string(line) + "\n", "a header that is accepted is written the same");
}

/// A record that the input describes.
void check_writer(std::string_view line, uint64_t previous, Subject subject) {
  Input input(line);
  NewRecord record;
  record.type =
      static_cast<RecordType>(input.byte() % (static_cast<int>(RecordType::kIterated) + 1));
  record.cause = input.byte() % 3;
  record.applied = input.byte() % 3 == 0 ? UINT64_MAX : 0;
  const bool more = input.byte() % 2 == 0;
  const uint64_t seq = 1 + input.number();
  const auto at_ms = static_cast<int64_t>(input.number() % 253'402'300'800'000);
  record.data = "{" + std::string(input.rest()) + "}";
  uint64_t sum = 0;
  const auto written = encode_record(record, seq, at_ms, more, more ? 0 : 1, previous, &sum);
  RecordView read;
  expect(decode(written, previous, &read, subject) == nullptr, "what is written is accepted");
  expect(read.seq == seq && read.type == record.type && read.cause == record.cause &&
             read.applied == record.applied && read.at_ms == at_ms && read.more == more &&
             read.sum == sum,
         "what is written is read");
  expect_equal(read.data, record.data, "the data that is written is read");
}

void check(std::string_view bytes, Subject subject) {
  uint64_t previous = 0;
  for (Input input(bytes); !input.at_end();) {
    const auto line = input.line();
    check_record(line, previous, subject);
    check_header(line);
    check_writer(line, previous, subject);

    uint64_t sum = 0;
    const auto sealed = sealed_line(line, previous, &sum);
    check_record(sealed, previous, subject);
    check_header(sealed);
    previous = sum;
  }
}

}  // namespace

const Target kTarget{"records", kWords, check};

}  // namespace reprise::fuzz
