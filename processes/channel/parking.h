// A plan or a question of the agent parks the channel until somebody answers: an effect of kind
// breakpoint.
//
//   free  channel.parked -> parked     parked  channel.unparked -> free
#pragma once

#include <cstdint>
#include <string>

#include "processes/channel/effects.h"
#include "processes/channel/event.h"

namespace reprise::channel {

class Scribe;

struct Parking {
  uint64_t cards = 0;   ///< how many there have been
  std::string card_id;  ///< what the channel waits for; empty: nothing
  std::string kind;     ///< "plan" or "ask"
  std::string question;

  bool is_parked() const { return !card_id.empty(); }

  void evolve(const Event& event);
  Json to_json() const;
  void restore(const Json& json);
};

/// The answer to the card (noun "card").
void resolve_card(Scribe& scribe, const Result& result);

}  // namespace reprise::channel
