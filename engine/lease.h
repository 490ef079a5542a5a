// What the holder of a claim does with it: renew it, give it back, tell how far the work is. Each
// wants the claim's token, or context.force in its place.
#pragma once

#include <string>

#include "engine/claim.h"

namespace reprise {

struct LeaseRequest {
  EffectSelector effect;
  std::string token;
  bool dry_run = false;
};

/// Errors of all: EFFECT_NOT_FOUND (exit 3), EFFECT_CONFLICT (exit 4) when the effect is not open,
/// CLAIM_STALE (exit 4), those of open_run.

/// The lease goes on for `lease_ms` from now; 0: as long as before. Recorded at most once for each
/// third of the lease: sooner it succeeds and changes nothing. One that is over, and not recorded
/// as lost, lives again. Error NOT_CLAIMED (exit 4) when nobody holds the effect.
Claimed extend_claim(Dir& run, const Context& context, const LeaseRequest& request,
                     int64_t lease_ms);

/// The effect can be claimed again, in the same attempt. Giving a claim back twice, or after it was
/// lost, is success.
Claimed release_claim(Dir& run, const Context& context, const LeaseRequest& request);

/// EFFECT_PROGRESS as it is written; a large report becomes a blob of the run.
NewRecord progress_record(const OpenEffect& effect, std::string_view json, const Author& author,
                          Dir& run);
/// Keeps the last report, any JSON. Without a token only while no claim lives (EFFECT_CLAIMED, exit
/// 4). The same report again changes nothing.
Claimed report_progress(Dir& run, const Context& context, const LeaseRequest& request,
                        const Value& progress);

}  // namespace reprise
