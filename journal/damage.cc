#include "journal/damage.h"

#include "journal/segment.h"
#include "journal/value.h"

namespace reprise {

namespace {

std::string details_of(const Damage& damage) {
  std::string text = "{\"segment\":" + std::to_string(damage.segment);
  text += ",\"line\":" + std::to_string(damage.line);
  text += ",\"offset\":" + std::to_string(damage.offset);
  text += ",\"reason\":" + quote(damage.reason);
  text += ",\"lastGoodSeq\":" + std::to_string(damage.last_good_seq);
  text += ",\"recordsAfter\":" + std::to_string(damage.records_after);
  text += ",\"missing\":" + std::to_string(damage.missing) + '}';
  return text;
}

}  // namespace

Error damage_error(const Damage& damage) {
  const std::string out = damage.last_good_seq == 0
                              ? "restore the run from a copy, or be rid of it: reprise run:delete "
                                "RUN --yes --force; no record of it is whole"
                              : std::string();
  const std::string place = segment_path(damage.segment) + ", line " + std::to_string(damage.line) +
                            ", offset " + std::to_string(damage.offset) + ": " + damage.reason;
  const std::string seq = std::to_string(damage.last_good_seq);
  if (damage.kind == "missing") {
    const std::string count = damage.missing == 0   ? "all records"
                              : damage.missing == 1 ? "1 record"
                                                    : std::to_string(damage.missing) + " records";
    return Error(Exit::kCorrupt, "JOURNAL_RECORDS_MISSING",
                 count + " after seq " + seq + (damage.missing == 1 ? " is" : " are") +
                     " missing: an incomplete copy, or lost disk writes (" + place + ")",
                 !out.empty() ? out
                              : "restore the run from a complete copy, or go on without them: "
                                "reprise run:repair-journal RUN --accept-loss",
                 details_of(damage));
  }
  return Error(Exit::kCorrupt, "JOURNAL_CORRUPT",
               "the journal is corrupt: " + place + " (whole up to seq " + seq + ")",
               !out.empty() ? out
                            : "restore the run from a copy, or keep what is whole: reprise "
                              "run:repair-journal RUN --accept-loss",
               details_of(damage));
}

}  // namespace reprise
