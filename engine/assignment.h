// A PROCESS_ASSIGNED that gives a run with a history to other code: what the new code asked for
// when it was given that history, and what of it was there already (replay.md, section 6).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "journal/json_reader.h"

namespace reprise {

/// One command of the new code over the activations before the assignment, in order.
struct PlannedCommand {
  enum class Kind : uint8_t { kRequest, kEvent, kEnd };
  Kind kind = Kind::kRequest;
  uint64_t id = 0;  ///< kRequest: the effect's number; kEvent: seq of the EVENT_EMITTED
};

struct Assignment {
  uint64_t seq = 0;           ///< of the PROCESS_ASSIGNED
  uint64_t first_number = 0;  ///< the lowest number that a call of the new code takes
  std::vector<PlannedCommand> plan;
  std::vector<uint64_t> reserve;         ///< effects that the new code has not asked for yet
  std::vector<uint64_t> reserve_events;  ///< seqs of events that it has not emitted yet
};

Assignment parse_assignment(uint64_t seq, const Members& data);
/// Its members: "plan":["t1",17,"end"],"firstNumber":9,"reserve":["t3"],"reserveEvents":[12]
std::string assignment_members(const Assignment& assignment);

}  // namespace reprise
