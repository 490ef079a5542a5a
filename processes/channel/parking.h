// A plan or a question of the agent parks the channel until somebody answers: an effect of kind
// breakpoint.
//
//   free     channel.parked    -> parked: nothing is claimed
//   parked   channel.unparked  -> free
//
// The answer (approval:approve, approval:deny)           verdict     what the agent gets next
//   approved, nothing said, or "yes", "ok", ...          approved    "The plan is approved. ..."
//   approved, a text, an option or its number            answered    the text
//   denied, nothing said, or "no", "skip", ...           rejected    nothing
//   denied, any other text                               answered    the text, in plan mode
//
// What the agent gets is a message of who answered, before all that waits: a denial with a text is
// a denial and an interrupt in one.
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
  Json options = Json::array();  ///< texts

  bool is_parked() const { return !card_id.empty(); }

  void evolve(const Event& event);
  Json to_json() const;
  void restore(const Json& json);
  /// {cardId, kind, question, options}; null when the channel is not parked.
  Json shown() const;
};

struct Verdict {
  std::string verdict;  ///< "approved", "rejected", "answered"
  std::string text;     ///< what the agent gets; empty: nothing runs
  std::string mode;     ///< "card": the agent answers, whatever the words; or "plan"
};
/// Of an answer {approved, option?, response?, feedback?}.
Verdict judge_answer(const Parking& parking, const Json& answer);

/// When the result hands back a plan or a question.
void park(Scribe& scribe, const Json& result);
/// The answer to the card (noun "card").
void resolve_card(Scribe& scribe, const Result& result);
/// The card, if there is one, is not asked any more: rejected.
void withdraw_card(Scribe& scribe);

}  // namespace reprise::channel
