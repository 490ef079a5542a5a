// Claims: an effect is given to one executor for as long as its lease lives (docs/executors.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/context.h"
#include "engine/effect_selector.h"
#include "engine/run_state.h"
#include "journal/files.h"
#include "journal/value.h"

namespace reprise {

struct ClaimRequest {
  std::optional<EffectSelector> effect;  ///< nullopt: the next one that can be taken
  std::string kind;  ///< of the next one; empty: any but breakpoint, run and sleep, which wait for
                     ///< people, runs and time
  std::string worker;  ///< how the claimer calls itself
  std::string token;   ///< of the claim, when it is repeated
  uint64_t pid = 0;    ///< of the claimer on this machine: its end ends the lease; 0: not said
  int64_t lease_ms = 0;
  int64_t wait_ms = 0;  ///< at most so long until it can be taken; also for it to be requested
  bool dry_run = false;
};

/// What a claim, a renewal, a release or a progress report did.
struct Claimed {
  bool recorded = false;  ///< false: it was so before (or a dry run)
  OpenEffect effect;      ///< with its claim, unless it was released or in a dry run
  int64_t at_ms = 0;
  RunState state;
  std::vector<std::string> notes;  ///< derived files that could not be written
};

/// Claims an effect. A claim whose lease is over is taken over: its attempt is recorded as lost in
/// the same commit. The claimer that holds it (same token; or same worker, machine and pid) asks in
/// vain for more: nothing changes. Errors, exit 4 unless another is named:
///   EFFECT_CLAIMED          somebody else's claim lives
///   EFFECT_NOT_AVAILABLE    a pause between attempts goes on, or the attempt is over and
///   run:iterate
///                           decides what follows
///   EFFECT_HELD             a person must let it go on
///   EFFECT_CONFLICT         it has a result, or was cancelled
///   EFFECT_NOT_FOUND        exit 3
///   NOT_CLAIMABLE           it is of kind run or sleep: it ends by itself
///   NOTHING_TO_CLAIM        exit 10: there is no next one
///   RUN_PAUSED, RUN_ENDED
///   PROCESS_NOT_FOUND       exit 2: no process has that pid
/// and those of open_run. The lock is not held while it waits.
Claimed claim_effect(Dir& run, const Context& context, const ClaimRequest& request);

}  // namespace reprise
