// The records that count. RUN_REOPENED takes back what was decided from an activation on, and a
// PROCESS_ASSIGNED with a plan gives the history so far to other code; both leave the journal as it
// is and change how it is read (docs/determinism.md, replay.md sections 5 and 6). This fold of the
// raw journal says what stands; only runs with such a record need it.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "journal/json_reader.h"
#include "journal/record.h"

namespace reprise {

/// Is this a record that changes the meaning of those before it?
bool rewrites(const RecordView& record, const Members& data);

/// Views point into the reader's buffers.
struct EffectiveRecords {
  std::vector<RecordView> records;  ///< in journal order, without what is void
  uint64_t applied = 0;             ///< the last activation that the process was given
  uint64_t highest_effect = 0;      ///< of the whole journal: it never falls
  std::vector<RecordView> voided;   ///< EFFECT_REQUESTED records that are void, in journal order
  /// Errors that a retry took back, in journal order: the attempts happened all the same.
  std::vector<RecordView> retried;
};

/// What a rewind to before an activation would take back.
struct Voided {
  std::vector<RecordView> requests;
  std::vector<RecordView> resolutions;  ///< of those requests
  std::vector<RecordView> events;
  std::vector<RecordView> ends;
  std::vector<uint64_t> assignments;  ///< PROCESS_ASSIGNED records that are undone
};

class EffectiveFold {
 public:
  /// The next record in journal order. The view must stay valid.
  void add(const RecordView& record);
  const EffectiveRecords& so_far() const { return x_now; }
  /// Why a rewind cannot go back to before this activation, to follow its number: "was not given
  /// to the process yet". Empty when it can.
  std::string obstacle(uint64_t activation) const;
  /// What RUN_REOPENED with this activation would void.
  Voided would_void(uint64_t activation) const;

 private:
  struct Before {
    uint64_t assigned = 0;
    uint64_t applied = 0;
    std::vector<RecordView> records;
  };

  void assign(const RecordView& record);
  void retry(const Members& data);
  void rewind(uint64_t activation, const std::set<uint64_t>& dropped);
  void go_behind_assignments(uint64_t activation);
  /// The first assignment behind the activation; nullptr when there is none.
  const Before* assigned_behind(uint64_t activation) const;

  EffectiveRecords x_now;
  std::vector<Before> x_before;  ///< what stood before each assignment that still holds
  mutable JsonReader x_reader;
};

}  // namespace reprise
