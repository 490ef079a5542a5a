// The fence around a claimed effect: while its lease lives, only who shows its token may say
// anything about it.
#pragma once

#include <string>

#include "engine/host.h"
#include "engine/run_state.h"

namespace reprise {

/// "claimed by ci-7 until 2026-..."
std::string claim_words(const Claim& claim);

/// Whether the token is of the effect's present claim, alive or not.
bool holds(const OpenEffect& effect, const std::string& token);

/// The token is of a claim that is over, or of none: error CLAIM_STALE, exit 4.
[[noreturn]] void refuse_stale_token(const OpenEffect& effect, const std::string& token);

/// Error EFFECT_CLAIMED, exit 4, when a claim lives and no token is shown; CLAIM_STALE when the
/// token is of another one. Without a claim nothing but a token is wrong.
void check_fence(const OpenEffect& effect, const std::string& token, int64_t now_ms, Host& host);

}  // namespace reprise
