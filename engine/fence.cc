#include "engine/fence.h"

#include "engine/attempt.h"
#include "journal/clock.h"
#include "journal/error.h"
#include "journal/ids.h"

namespace reprise {

std::string claim_words(const Claim& claim) {
  return "claimed by " + claim.worker + " until " + format_time(claim.until_ms);
}

bool holds(const OpenEffect& effect, const std::string& token) {
  return effect.claim && effect.claim->token == token;
}

void refuse_stale_token(const OpenEffect& effect, const std::string& token) {
  const auto id = format_effect_id(effect.id);
  auto message = "the token " + token + " is of no claim of " + id + " that goes on";
  if (effect.past && effect.past->token == token) {
    message = "the claim " + token + " is over: attempt " + std::to_string(effect.past->attempt) +
              " of " + id + (effect.past->status == "lost" ? " was lost" : " ended with an error");
  }
  message += "; " + id + " is in attempt " + std::to_string(effect.attempt);
  if (effect.claim) message += ", " + claim_words(*effect.claim);
  throw Error(Exit::kConflict, "CLAIM_STALE", message,
              "stop working on it: its result is no longer wanted from here; --force overrides");
}

void check_fence(const OpenEffect& effect, const std::string& token, int64_t now_ms, Host& host) {
  if (!token.empty()) {
    if (!holds(effect, token)) refuse_stale_token(effect, token);
    return;
  }
  if (!effect.claim || !lives(*effect.claim, now_ms, host)) return;
  throw Error(Exit::kConflict, "EFFECT_CLAIMED",
              format_effect_id(effect.id) + " is " + claim_words(*effect.claim),
              "give the claim's token (--token or $REPRISE_CLAIM), wait, or override with --force");
}

}  // namespace reprise
