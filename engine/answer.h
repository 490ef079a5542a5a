// Answering what people are asked.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/context.h"
#include "engine/effect_selector.h"
#include "engine/run_state.h"
#include "journal/files.h"

namespace reprise {

/// approval:approve or approval:deny.
struct Answer {
  EffectSelector effect;
  bool approved = false;
  std::string by;                ///< the person; must not be empty
  std::string option;            ///< which of several was chosen; or empty
  std::string response;          ///< what the process is told; or empty
  std::string comment;           ///< why; or empty
  std::string expect;            ///< refused unless the question has this digest; empty: any
  bool inside_executor = false;  ///< $REPRISE_EFFECT is set: nobody approves himself
  bool dry_run = false;
};

struct Answered {
  bool recorded = false;  ///< false: the same was answered before (or a dry run)
  bool settled = false;   ///< nobody else is asked any more
  uint64_t missing = 0;   ///< how many more people must approve
  int64_t at_ms = 0;      ///< of the record; 0 when nothing was recorded
  RunState state;
  std::vector<std::string> notes;  ///< derived files that could not be written
};

/// A breakpoint is resolved with the answer, once enough people approved or one denied; a held
/// effect goes on, or is resolved with the error that it failed with. Errors: NOT_PERMITTED (exit
/// 13) for a person who is not asked and inside an executor, APPROVAL_CHANGED (exit 4) when
/// `expect` is not the digest, OUTPUT_INVALID and SCHEMA_INVALID (exit 2, not with context.force)
/// when the answer is not what the outputSchema asks for, EFFECT_CONFLICT (exit 4) when it was
/// answered in another way, is closed or has expired, NO_APPROVAL, those of find_effect and
/// open_run.
Answered answer_approval(Dir& run, const Context& context, const Answer& answer);

}  // namespace reprise
