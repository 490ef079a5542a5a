// What a record of an outcome says of the attempt that ended with it.
#pragma once

#include "engine/run_state.h"
#include "journal/json_reader.h"

namespace reprise {

inline PastAttempt past_attempt(const Members& data) {
  return {.attempt = static_cast<uint32_t>(data.number("attempt")),
          .status = data.text("status"),
          .digest = data.text("digest"),
          .key = data.text("key"),
          .token = data.text("token")};
}

}  // namespace reprise
