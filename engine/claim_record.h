// EFFECT_CLAIMED as it is written: a claim, its renewal, its end.
#pragma once

#include "engine/context.h"
#include "engine/run_state.h"
#include "journal/record.h"

namespace reprise {

/// The token of a claim that is recorded as `seq`: "c17-5f3a0c21".
std::string make_token(uint64_t seq, Random& random);
/// Who claims, without what the journal decides: token and times. With a pid its end ends the
/// claim. Error PROCESS_NOT_FOUND, exit 2, when no process has it.
Claim make_claimer(std::string worker, uint64_t pid, int64_t lease_ms, Host& host);

/// A claim of the effect's present attempt; with the token of the present claim it renews it.
NewRecord claim_record(const OpenEffect& effect, const Claim& claim, const Author& author);
/// Gives the effect's claim back.
NewRecord release_record(const OpenEffect& effect, const Author& author);

}  // namespace reprise
