#include "engine/hooks/deliver.h"

#include <algorithm>

#include "engine/executors/backoff.h"
#include "engine/hooks/send.h"
#include "engine/index/envelope.h"
#include "engine/index/refresh.h"

namespace reprise {

namespace {

constexpr uint64_t kPageRows = 500;
constexpr int64_t kFirstDeliveryPauseMs = 10'000;
constexpr int64_t kLongestDeliveryPauseMs = 3'600'000;

}  // namespace

EventId id_of_event(const EventRow& event) { return {event.run, event.seq, event.identity}; }

void deliver(const Hook& hook, DeliveryLog& log, Dir& runs, const EventRow& event,
             const Undelivered& retried, int64_t most_ms, int64_t now_ms) {
  const auto id = id_of_event(event);
  const auto sent = send_to_hook(hook, id, event.type, envelope(runs, event), most_ms, now_ms);
  if (sent.ok) return log.add_delivered(id);
  Undelivered outcome{.attempts = retried.attempts + 1, .error = sent.error};
  outcome.parked = outcome.attempts >= hook.attempts;
  const Backoff backoff{.attempts = hook.attempts,
                        .first_ms = kFirstDeliveryPauseMs,
                        .longest_ms = kLongestDeliveryPauseMs};
  const auto pause_ms = backoff_ms(backoff, outcome.attempts, hook.name + id.text());
  outcome.next_ms =
      now_ms + std::max(pause_ms, std::min(sent.again_in_ms.value_or(0), kLongestDeliveryPauseMs));
  log.add_undelivered(id, outcome);
}

Found find_undelivered(RunIndex& index, const Hook& hook, const DeliveryLog& log, int64_t until_ms,
                       uint64_t most) {
  Found found;
  index.ask([&](Database& database) {
    found = {.epoch = index_epoch(database)};
    EventFilter filter{.types = hook.types,
                       .since_ms = log.since_ms(),
                       .after = log.place(found.epoch),
                       .limit = kPageRows};
    for (bool more = true; more && found.events.size() < most;) {
      auto page = list_events(database, filter);
      more = page.more;
      for (auto& row : page.rows) {
        filter.after = row.id;
        const auto id = id_of_event(row);
        const bool known = log.knows(id);
        if (!known && row.at_ms > until_ms) {  // its command is about to deliver it
          more = false;
          break;
        }
        if (!known) {
          found.events.push_back(std::move(row));
        } else if (found.events.empty()) {
          found.known.push_back(id);
          found.place = row.id;
        }
      }
    }
  });
  if (found.events.size() > most) found.events.resize(most);
  return found;
}

std::vector<EventRow> events_of_run(RunIndex& index, const Hook& hook, const std::string& run,
                                    int64_t since_ms, uint64_t most) {
  return index.ask([&](Database& database) {
    return list_events(database,
                       {.types = hook.types, .run = run, .since_ms = since_ms, .limit = most})
        .rows;
  });
}

std::optional<EventRow> find_event(RunIndex& index, const EventId& id) {
  return index.ask([&](Database& database) {
    EventFilter filter{.run = id.run, .limit = kPageRows};
    for (bool more = true; more;) {
      auto page = list_events(database, filter);
      more = page.more;
      for (auto& row : page.rows) {
        if (id_of_event(row) == id) return std::optional(std::move(row));
        filter.after = row.id;
      }
    }
    return std::optional<EventRow>();
  });
}

}  // namespace reprise
