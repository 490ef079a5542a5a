// What the author of a task asks for besides the work: the `options` of an EFFECT_REQUESTED record.
// The script module checks and normalises what authors write; this reads what it recorded.
//
//   {"timeoutMs":60000,"timeoutFrom":"claim",
//    "retry":{"maxAttempts":3,"backoffMs":1000,"factor":2,"maxBackoffMs":100000,
//             "nonRetryable":["TypeError"],"onExhausted":"ask"},
//    "onLost":"ask","outputSchema":true,"detached":true}
//
// Each member may be absent. Without timeoutFrom the time of an attempt that nobody has claimed
// passes, too (OpenEffect::deadline_ms): scripts have it so, channels do not. The schema itself is
// in the task's definition.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace reprise {

/// Without a policy an error is final, and work that is lost is given out again up to so many
/// attempts in all: an executor that dies each time must not do so for ever.
constexpr uint32_t kLostAttempts = 3;

struct TaskOptions {
  enum class OnLost : uint8_t { kRetry, kAsk, kFail };

  int64_t timeout_ms = 0;                  ///< of one attempt; 0: none
  bool retries = false;                    ///< the author gave a retry policy
  uint32_t max_attempts = 1;               ///< of the policy
  int64_t backoff_ms = 0;                  ///< before attempt 2
  double factor = 1;                       ///< each further pause is so many times as long
  int64_t max_backoff_ms = 0;              ///< the longest pause
  std::vector<std::string> non_retryable;  ///< names of errors that are final
  bool ask_when_exhausted = false;         ///< a person decides, instead of the error being final
  OnLost on_lost = OnLost::kRetry;         ///< the claim was lost: lease over, claimer dead
  bool has_schema = false;                 ///< the definition's outputSchema is enforced
  bool detached = false;                   ///< a child run that outlives its parent
};

/// Of recorded options; an empty text gives the defaults.
TaskOptions parse_task_options(std::string_view json);

/// The pause before attempt `next` (2 or more), in milliseconds:
/// min(backoffMs * factor^(next - 2), maxBackoffMs).
int64_t retry_pause_ms(const TaskOptions& options, uint32_t next);

}  // namespace reprise
