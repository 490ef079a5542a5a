// Reading the journal forward, once, with every sum checked. The scanner finds where the journal
// stops being whole; what that means (survey.h) and what is done about it (settle.h, repair.cc) is
// decided elsewhere.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "journal/files.h"
#include "journal/journal.h"
#include "journal/segment.h"
#include "journal/witness.h"

namespace reprise {

constexpr uint32_t kKeepNone = UINT32_MAX;

struct ScanRequest {
  const Head* start = nullptr;  ///< where reading begins; nullptr: at the first segment
  const Head* from = nullptr;   ///< records behind it are visited; at or behind `start`
  std::optional<Witness> witness;
  Access access = Access::kRead;
  uint32_t keep_from = kKeepNone;  ///< chunks of this segment and later ones are kept
  bool look_for_holes = false;     ///< ask for the list of segments, too
};

/// Where reading stopped before a clean end.
struct Stop {
  uint32_t segment = 0;
  uint64_t offset = 0;
  const char* reason = "";
  bool at_end = false;       ///< the bytes just end here
  bool well_summed = false;  ///< the sum is right and the content is not: no crash does that
  uint64_t seq = 0;          ///< of the record that should be here
  uint64_t sum = 0;          ///< of the line before
  uint64_t file_size = 0;
};

struct ScanResult {
  Head head;                   ///< the last whole commit
  std::shared_ptr<File> file;  ///< of head.segment
  std::vector<Chunk> chunks;
  std::optional<Stop> stop;
  /// A witness that names another record than the journal holds at that seq: where.
  std::optional<Head> contradicted;
};

/// nullopt when `start` or `from` is no head of this journal; nothing was visited then.
std::optional<ScanResult> scan_journal(Dir& run, const ScanRequest& request,
                                       const RecordVisitor& visit);

}  // namespace reprise
