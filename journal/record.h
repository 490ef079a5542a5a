// One journal line (docs/journal-format.md). This file knows the envelope; what `data` holds is the
// engine's business.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace reprise {

enum class RecordType : uint8_t {
  kRunCreated,
  kProcessAssigned,
  kEffectRequested,
  kEffectClaimed,
  kEffectProgress,
  kEffectResolved,
  kEffectRetryScheduled,
  kEffectCancelled,
  kEffectWithdrawn,
  kEffectLate,
  kSignalReceived,
  kEventEmitted,
  kRunCompleted,
  kRunFailed,
  kRunHalted,
  kRunPaused,
  kRunResumed,
  kRunReopened,
  kRunForked,
  kIterated,
};
std::string_view record_type_name(RecordType type);
std::optional<RecordType> parse_record_type(std::string_view name);

/// Where a record's line lies.
struct Place {
  uint32_t segment = 0;
  uint64_t offset = 0;
  uint32_t length = 0;  ///< without the newline
};

/// A record as read. The views point into the reader's buffer: see journal.h for how long they
/// live.
struct RecordView {
  uint64_t seq = 0;
  RecordType type{};
  int64_t at_ms = 0;
  uint64_t cause =
      0;  ///< seq of the activation that this command record follows from; 0 when it is none
  uint64_t applied = 0;   ///< on the last record of an iteration: the last activation that the
                          ///< process was given; else 0
  bool more = false;      ///< another record of the same commit follows
  uint32_t count = 0;     ///< on a commit's last record: the number of records in it
  std::string_view data;  ///< a minified JSON object
  uint64_t sum = 0;
  Place place;
};

/// A record to be appended; seq, at, more, n and sum are the journal's.
struct NewRecord {
  RecordType type{};
  uint64_t cause = 0;
  uint64_t applied = 0;
  std::string data = "{}";  ///< a minified JSON object
};

/// The line without its newline:
///   {"seq":7,"type":"EFFECT_RESOLVED","at":"2026-11-21T20:15:02.114Z","cause":6,"applied":7,
///    "n":1,"data":{...},"sum":"9f86d081884c7d65"}
/// cause and applied are left out when 0; "more":true stands in place of n.
/// Sets `sum` to the new record's.
std::string encode_record(const NewRecord& record, uint64_t seq, int64_t at_ms, bool more,
                          uint32_t count, uint64_t previous_sum, uint64_t* sum);

/// What decode_record says of a line whose sum is right and whose type this version does not know:
/// a newer one wrote it.
inline constexpr std::string_view kUnknownRecordType =
    "a record type that this version does not know";

/// Why a line is no record: a fixed text, or nullptr when it is one. `line` has no newline.
/// Checks the sum against `previous_sum` before it looks at anything else; fills all of `record`
/// but `place`.
const char* decode_record(std::string_view line, uint64_t previous_sum, RecordView* record);

}  // namespace reprise
