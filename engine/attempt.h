// Attempts: what follows when one ends without a result, and which end by themselves because their
// time has come. Pure but for the question whether a claimer still runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/host.h"
#include "engine/json_writer.h"
#include "engine/run_state.h"
#include "journal/record.h"

namespace reprise {

/// What follows the end of an attempt that brought no result.
struct Followup {
  bool again = false;           ///< the next attempt; else the outcome is the effect's
  std::string held;             ///< a person must let it go on: "exhausted" or "lost"; else empty
  int64_t available_at_ms = 0;  ///< the next attempt can be taken then
};

/// After an error that was posted, or a passed deadline. `error` is an object with a name; one with
/// "retryable": false is final whatever the author's policy says.
Followup after_error(const OpenEffect& effect, std::string_view error, int64_t now_ms);
/// After a claim was lost: the work is given out again at once, a pause would help nobody.
Followup after_loss(const OpenEffect& effect, int64_t now_ms);

/// EFFECT_RETRY_SCHEDULED or EFFECT_RESOLVED, and its members that say when the next attempt is.
RecordType type_of(const Followup& followup);
void add_followup(JsonWriter& data, const Followup& followup);

/// Two errors are the same by name, message and data: their stacks differ from machine to machine.
std::string error_digest(std::string_view error);

/// Something that an iterate records by itself.
struct DueEffect {
  enum class What : uint8_t {
    kSleep,    ///< a sleep is over
    kExpiry,   ///< nobody answered a breakpoint in time
    kTimeout,  ///< the attempt took too long
    kLost,     ///< the lease is over, or its claimer has died on this machine
  };
  What what = What::kSleep;
  int64_t at_ms = 0;
  uint64_t effect = 0;
};

/// Whether the claim of an effect lives: its lease goes on, and its claimer has not visibly died.
bool lives(const Claim& claim, int64_t now_ms, Host& host);

/// nullopt when nothing of the effect is due; else the earliest.
std::optional<DueEffect> due_of(const OpenEffect& effect, int64_t now_ms, Host& host);
/// Of all open effects, by (time, effect).
std::vector<DueEffect> all_due(const RunState& state, int64_t now_ms, Host& host);
/// What is recorded of it.
NewRecord due_record(const OpenEffect& effect, const DueEffect& due, int64_t now_ms);
/// What follows it, for kTimeout and kLost.
Followup after_due(const OpenEffect& effect, const DueEffect& due, int64_t now_ms);

}  // namespace reprise
