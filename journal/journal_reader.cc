// Readers take no lock, so they may meet a commit that is just being written or a tail that is just
// being cut. What looks wrong is therefore read again from the last whole commit, with a fresh
// witness: nothing is visited twice.
#include <algorithm>

#include "journal/damage.h"
#include "journal/foreign_run.h"
#include "journal/journal.h"
#include "journal/line.h"
#include "journal/scan.h"
#include "journal/survey.h"

namespace reprise {

namespace {

/// The last reading is made under a shared lock.
constexpr int kReadings = 4;
constexpr int64_t kSharedLockTimeoutMs = 2000;

struct Reading {
  ScanResult scan;
  Findings findings;
  std::vector<std::unique_ptr<char[]>> buffers;
};

/// A journal of which no record can be read may be another program's.
void refuse_if_foreign(Dir& run, const Findings& findings) {
  if (findings.damage && findings.damage->last_good_seq == 0) refuse_foreign_run(run);
}

/// nullptr when it is held too long, or when this user may not lock: then the reading has to do
/// without.
std::unique_ptr<FileLock> lock_shared(Dir& run) {
  try {
    if (!run.stat("run.lock")) return nullptr;
    return run.lock("run.lock", LockMode::kShared, kSharedLockTimeoutMs, "");
  } catch (const Error&) {
    return nullptr;
  }
}

std::optional<Reading> read_patiently(Dir& run, const Head* from, Keep keep,
                                      const RecordVisitor& visit) {
  Reading total;
  for (int reading = 1;; reading++) {
    const auto lock = reading == kReadings ? lock_shared(run) : nullptr;
    const Head resume = total.scan.head;
    const Head* start = resume.seq != 0 ? &resume : from;
    ScanRequest scan;
    scan.start = scan.from = start;
    scan.witness = read_witness(run);  // before the journal: what it names must then be there
    scan.keep_from = keep == Keep::kBuffers ? 0 : kKeepNone;
    scan.look_for_holes = from == nullptr;
    std::optional<ScanResult> result = scan_journal(run, scan, visit);
    if (!result) return reading == 1 ? std::nullopt : std::optional<Reading>(std::move(total));

    for (Chunk& chunk : result->chunks) total.buffers.push_back(std::move(chunk.bytes));
    total.findings = judge(run, *result, scan.witness);
    total.scan = std::move(*result);
    refuse_if_foreign(run, total.findings);
    // A torn tail is harmless to a reader, once it is no commit that is just being written.
    const bool settled = total.findings.torn ? reading > 1 : !total.findings.damage;
    if (settled || reading == kReadings || total.scan.contradicted) return total;
  }
}

}  // namespace

std::optional<Scan> read_journal(Dir& run, const Head* from, Keep keep,
                                 const RecordVisitor& visit) {
  std::optional<Reading> reading = read_patiently(run, from, keep, visit);
  if (!reading) return std::nullopt;
  if (reading->findings.damage) throw damage_error(*reading->findings.damage);
  return Scan{reading->scan.head, reading->findings.tail, std::move(reading->buffers)};
}

RecordView read_record(Dir& run, const Place& place, std::string& buffer) {
  const uint64_t begin = place.offset - std::min<uint64_t>(place.offset, kAnchorSize);
  const size_t size = static_cast<size_t>(place.offset - begin) + place.length;
  const std::unique_ptr<File> file = run.open(segment_path(place.segment), Access::kRead);
  buffer.assign(size, '\0');
  const size_t got = file ? file->read_at(begin, buffer.data(), size) : 0;

  const std::string_view text(buffer.data(), got);
  std::string_view body;
  uint64_t previous = 0;
  RecordView record;
  const char* reason = "the record is not there";
  if (got == size && place.offset >= kAnchorSize) {
    reason = split_line(text.substr(0, kSumSize), &body, &previous)
                 ? decode_record(text.substr(kAnchorSize), previous, &record)
                 : "the line before does not end with a sum";
  }
  if (reason != nullptr) {
    Damage damage;
    damage.segment = place.segment;
    damage.offset = place.offset;
    damage.line = line_number(run, place.segment, place.offset);
    damage.kind = "corrupt";
    damage.reason = reason;
    throw damage_error(damage);
  }
  record.place = place;
  return record;
}

Verdict verify_journal(Dir& run) {
  const auto reading = read_patiently(run, nullptr, Keep::kNothing, [](const RecordView&) {});
  const Head& head = reading->scan.head;
  return {head, head.seq, reading->findings.tail, reading->findings.damage};
}

}  // namespace reprise
