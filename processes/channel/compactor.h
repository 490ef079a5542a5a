// Keeps the context small: the messages between the first and the newest are replaced by a summary.
#pragma once

#include <cstdint>
#include <string>

#include "processes/channel/effects.h"
#include "processes/channel/event.h"

namespace reprise::channel {

class Scribe;

struct Compactor {
  uint64_t jobs = 0;  ///< how many there have been

  void evolve(const Event& event);
  Json to_json() const;
  void restore(const Json& json);
};

/// Looks at the utilization after a response, and begins a job when a level is passed.
void evaluate_compaction(Scribe& scribe);
/// A result of noun "compaction".
void resolve_compaction(Scribe& scribe, const Result& result);

}  // namespace reprise::channel
