// The layout of a line is fixed, so it is read from left to right without a JSON parser. The sum
// stands at a fixed distance from the end and is checked first: whatever comes after that check was
// written by this program.
#include "journal/record.h"

#include <charconv>

#include "journal/clock.h"
#include "journal/hash.h"
#include "journal/ids.h"
#include "journal/line.h"

namespace reprise {

namespace {

constexpr std::string_view kTypeNames[] = {
    "RUN_CREATED",
    "PROCESS_ASSIGNED",
    "EFFECT_REQUESTED",
    "EFFECT_CLAIMED",
    "EFFECT_PROGRESS",
    "EFFECT_RESOLVED",
    "EFFECT_RETRY_SCHEDULED",
    "EFFECT_CANCELLED",
    "EFFECT_WITHDRAWN",
    "EFFECT_LATE",
    "SIGNAL_RECEIVED",
    "EVENT_EMITTED",
    "RUN_COMPLETED",
    "RUN_FAILED",
    "RUN_HALTED",
    "RUN_PAUSED",
    "RUN_RESUMED",
    "RUN_REOPENED",
    "RUN_FORKED",
    "ITERATED",
};
constexpr size_t kTypeCount = std::size(kTypeNames);
static_assert(kTypeCount == static_cast<size_t>(RecordType::kIterated) + 1);

constexpr size_t kTimeSize = 24;

const char* decode_record_fields(LineReader line, RecordView* record) {
  record->cause = record->applied = 0;
  record->count = 0;
  record->more = false;

  std::string_view type;
  if (!line.skip("{\"seq\":") || !line.number(&record->seq)) return "no sequence number";
  if (!line.skip(",\"type\":\"") || !line.until('"', &type)) return "no type";
  const std::optional<RecordType> known = parse_record_type(type);
  if (!known) return kUnknownRecordType.data();
  record->type = *known;

  std::string_view time;
  if (!line.skip(",\"at\":\"") || !line.take(kTimeSize, &time)) return "no time";
  const std::optional<int64_t> at_ms = parse_time(time);
  if (!at_ms || !line.skip("\",")) return "no time";
  record->at_ms = *at_ms;

  // Each line has one way to be written: what is 0 is left out.
  if (line.skip("\"cause\":") &&
      (!line.number(&record->cause) || record->cause == 0 || !line.skip(","))) {
    return "no number in cause";
  }
  if (line.skip("\"applied\":") &&
      (!line.number(&record->applied) || record->applied == 0 || !line.skip(","))) {
    return "no number in applied";
  }
  if (line.skip("\"more\":true,")) {
    record->more = true;
  } else {
    uint64_t count = 0;
    if (!line.skip("\"n\":") || !line.number(&count) || count == 0 || count > UINT32_MAX ||
        !line.skip(",")) {
      return "neither more nor n";
    }
    record->count = static_cast<uint32_t>(count);
  }

  if (!line.skip("\"data\":")) return "no data";
  record->data = line.rest();
  if (!record->data.starts_with('{') || !record->data.ends_with('}')) return "no data";
  return nullptr;
}

}  // namespace

std::string_view record_type_name(RecordType type) { return kTypeNames[static_cast<size_t>(type)]; }

std::optional<RecordType> parse_record_type(std::string_view name) {
  for (size_t i = 0; i < kTypeCount; i++) {
    if (kTypeNames[i] == name) return static_cast<RecordType>(i);
  }
  return std::nullopt;
}

std::string encode_record(const NewRecord& record, uint64_t seq, int64_t at_ms, bool more,
                          uint32_t count, uint64_t previous_sum, uint64_t* sum) {
  std::string line;
  line.reserve(record.data.size() + 192);
  line += "{\"seq\":";
  line += std::to_string(seq);
  line += ",\"type\":\"";
  line += record_type_name(record.type);
  line += "\",\"at\":\"";
  line += format_time(at_ms);
  line += "\",";
  if (record.cause != 0) line += "\"cause\":" + std::to_string(record.cause) + ',';
  if (record.applied != 0) line += "\"applied\":" + std::to_string(record.applied) + ',';
  line += more ? std::string("\"more\":true,") : "\"n\":" + std::to_string(count) + ',';
  line += "\"data\":";
  line += record.data;
  *sum = seal_line(line, previous_sum);
  return line;
}

const char* decode_record(std::string_view line, uint64_t previous_sum, RecordView* record) {
  std::string_view body;
  if (!split_line(line, &body, &record->sum)) return "the line does not end with a sum";
  if (hash64(body, previous_sum) != record->sum) return "the sum does not match";
  return decode_record_fields(LineReader(body), record);
}

}  // namespace reprise
