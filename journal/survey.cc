// A crash tears only the commit that was being written, which is the last one: whoever writes makes
// everything before its own commit durable first. So damage is a torn tail only when it lies behind
// the witness and no later commit follows. To see what follows, lines behind the damage are checked
// one by one, each against the sum that stands before it.
#include "journal/survey.h"

#include "journal/line.h"
#include "journal/settle.h"

namespace reprise {

namespace {

struct Survey {
  uint64_t whole = 0;                  ///< records behind the damage whose sum is right
  uint64_t last_seq = 0;               ///< of the last of them
  uint32_t last_count = 0;             ///< its n; 0 when its commit does not end with it
  std::optional<uint64_t> next_first;  ///< what the next readable segment header says
};

/// Checks the lines of `text`. `before` is the sum of the line in front of it, when that is known.
void look(std::string_view text, std::optional<uint64_t> before, Survey* survey) {
  std::optional<uint64_t> written;  // the sum that the line before ends with
  std::optional<uint64_t> computed =
      before;  // the sum it must have, should its end be what is damaged
  for (size_t size = text.find('\n'); size != std::string_view::npos; size = text.find('\n')) {
    const std::string_view line = text.substr(0, size);
    RecordView record;
    for (const std::optional<uint64_t>& previous : {written, computed}) {
      if (!previous) continue;
      const char* reason = decode_record(line, *previous, &record);
      if (reason != nullptr && reason != kUnknownRecordType) continue;
      survey->whole++;
      survey->last_seq = record.seq;
      survey->last_count = record.count;
      break;
    }
    if (computed && line.size() >= kSumSize) {
      computed = hash64(line.substr(0, line.size() - kSumSize), *computed);
    } else {
      computed.reset();
    }
    std::string_view body;
    uint64_t sum = 0;
    written = split_line(line, &body, &sum) ? std::optional<uint64_t>(sum) : std::nullopt;
    text.remove_prefix(size + 1);
  }
}

Survey look_behind(Dir& run, const Stop& stop) {
  Survey survey;
  for (const uint32_t segment : list_segments(run)) {
    if (segment < stop.segment) continue;
    const std::unique_ptr<File> file = run.open(segment_path(segment), Access::kRead);
    if (!file) continue;
    const bool here = segment == stop.segment;
    const Chunk chunk = read_chunk(*file, segment, here ? stop.offset : 0);
    look(chunk.view(), here ? std::optional<uint64_t>(stop.sum) : std::nullopt, &survey);
    if (!here && !survey.next_first) {
      if (const auto header = read_header(run, segment)) survey.next_first = header->first;
    }
  }
  return survey;
}

bool before_witness(uint32_t segment, uint64_t offset, const std::optional<Witness>& witness) {
  if (!witness) return false;
  const Head& head = witness->head;
  return segment < head.segment || (segment == head.segment && offset < head.offset);
}

/// The seq of the last record that is known to have followed the head and does not; 0 when none is.
uint64_t missing_to(const Stop& stop, const Head& head, const Survey& survey,
                    const std::optional<Witness>& witness) {
  if (!stop.at_end) return 0;
  if (survey.next_first) return *survey.next_first > stop.seq ? *survey.next_first - 1 : 0;
  if (!witness || witness->head.seq <= head.seq) return 0;
  const bool ends_before = before_witness(stop.segment, stop.file_size, witness);
  return ends_before || stop.offset == stop.file_size ? witness->head.seq : 0;
}

bool torn(const Stop& stop, const Head& head, const Survey& survey,
          const std::optional<Witness>& witness) {
  if (stop.well_summed || before_witness(stop.segment, stop.offset, witness)) return false;
  if (witness && witness->head.seq > head.seq) return false;  // it was acknowledged
  if (head.seq == 0) return false;  // the first commit was durable before the run got its name
  if (survey.whole == 0) return true;
  return survey.last_count != 0 && survey.last_seq >= stop.seq &&
         survey.last_seq - survey.last_count + 1 <= stop.seq;
}

Damage contradiction(Dir& run, const Head& place) {
  Damage damage;
  damage.segment = place.segment;
  damage.offset = place.offset;
  damage.line = line_number(run, place.segment, place.offset);
  damage.kind = "corrupt";
  damage.reason = "the record before this place is not the one that state/head names";
  damage.last_good_seq = place.seq - 1;
  return damage;
}

}  // namespace

Findings judge(Dir& run, const ScanResult& scan, const std::optional<Witness>& witness) {
  Findings findings;
  findings.tail.has_witness = witness.has_value();
  findings.tail.beyond_witness = witness && scan.head.seq > witness->head.seq;
  if (scan.stop) {
    const Stop& stop = *scan.stop;
    const Survey survey = look_behind(run, stop);
    const uint64_t missing = missing_to(stop, scan.head, survey, witness);
    if (missing == 0 && torn(stop, scan.head, survey, witness)) {
      findings.torn = true;
      findings.tail.torn_bytes = bytes_behind(run, scan.head);
    } else {
      Damage damage;
      damage.segment = stop.segment;
      damage.offset = stop.offset;
      damage.line = line_number(run, stop.segment, stop.offset);
      const bool nothing_left = scan.head.seq == 0 && stop.at_end && survey.whole == 0;
      damage.kind = missing != 0 || nothing_left ? "missing" : "corrupt";
      damage.reason = stop.reason;
      damage.last_good_seq = scan.head.seq;
      damage.records_after = survey.whole;
      damage.missing = missing != 0 ? missing - scan.head.seq : 0;
      findings.damage = std::move(damage);
    }
  }
  // What the witness named is gone: a tail that is torn as well must not hide that.
  if (scan.contradicted && !findings.damage) {
    findings.torn = false;
    findings.tail.torn_bytes = 0;
    findings.damage = contradiction(run, *scan.contradicted);
  }
  if (witness && (findings.torn || findings.tail.beyond_witness)) {
    findings.tail.certain = of_this_boot(run, *witness);
  }
  return findings;
}

}  // namespace reprise
