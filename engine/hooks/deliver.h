// Delivering events to hooks: those that nobody has delivered, found through the index.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/hooks/delivery_log.h"
#include "engine/hooks/hooks.h"
#include "engine/index/queries.h"
#include "engine/index/run_index.h"

namespace reprise {

EventId id_of_event(const EventRow& event);

/// Sends the event and writes down what became of it; one that failed as often as it may is
/// parked. `retried` is what is known of it.
void deliver(const Hook& hook, DeliveryLog& log, Dir& runs, const EventRow& event,
             const Undelivered& retried, int64_t most_ms, int64_t now_ms);

struct Found {
  std::vector<EventRow> events;  ///< that nobody has delivered or tried to, the oldest first
  std::string epoch;             ///< of the index
  std::vector<EventId> known;    ///< the ones before the first of `events`
  int64_t place = 0;             ///< of the last of them
};

/// The oldest so many of the hook's types, behind what its log has seen. Younger
/// ones than `until_ms` are left to the command that recorded them.
Found find_undelivered(RunIndex& index, const Hook& hook, const DeliveryLog& log, int64_t until_ms,
                       uint64_t most);

/// Those of one run since a time.
std::vector<EventRow> events_of_run(RunIndex& index, const Hook& hook, const std::string& run,
                                    int64_t since_ms, uint64_t most);

/// One event, by its id; nullopt when there is none.
std::optional<EventRow> find_event(RunIndex& index, const EventId& id);

}  // namespace reprise
