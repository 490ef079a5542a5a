// One attempt to tell a hook of one event.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "engine/hooks/delivery_log.h"
#include "engine/hooks/hooks.h"

namespace reprise {

struct Sent {
  bool ok = false;
  std::string error;                   ///< holds no header, no url and no secret
  std::optional<int64_t> again_in_ms;  ///< the receiver said when
};

/// `event` is the envelope, JSON: the body, or the standard input. A url has POST, with
/// Idempotency-Key and X-Reprise-Event; 2xx is its receipt. A command gets REPRISE_EVENT_ID,
/// REPRISE_EVENT_TYPE and REPRISE_HOOK; exit code 0 is its receipt, what it prints goes nowhere.
/// Takes at most the hook's timeout, and never more than `most_ms`.
Sent send_to_hook(const Hook& hook, const EventId& id, const std::string& type,
                  const std::string& event, int64_t most_ms, int64_t now_ms);

}  // namespace reprise
