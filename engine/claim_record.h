// EFFECT_CLAIMED as it is written: a claim, its renewal, its end.
#pragma once

#include "engine/context.h"
#include "engine/run_state.h"
#include "journal/record.h"

namespace reprise {

/// A claim of the effect's present attempt; with the token of the present claim it renews it.
NewRecord claim_record(const OpenEffect& effect, const Claim& claim, const Author& author);
/// Gives the effect's claim back.
NewRecord release_record(const OpenEffect& effect, const Author& author);

}  // namespace reprise
