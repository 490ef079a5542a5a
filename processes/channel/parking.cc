#include "processes/channel/parking.h"

#include "processes/channel/scribe.h"

namespace reprise::channel {

void Parking::evolve(const Event& event) {
  if (event.type == "channel.parked") {
    ++cards;
    card_id = text_of(event.payload, "cardId");
    kind = text_of(event.payload, "kind");
    question = text_of(event.payload, "question");
  } else if (event.type == "channel.unparked") {
    card_id.clear();
    kind.clear();
    question.clear();
  }
}

Json Parking::to_json() const {
  return {{"cards", cards}, {"cardId", card_id}, {"kind", kind}, {"question", question}};
}

void Parking::restore(const Json& json) {
  cards = json.at("cards");
  card_id = text_of(json, "cardId");
  kind = text_of(json, "kind");
  question = text_of(json, "question");
}

void resolve_card(Scribe&, const Result&) {}

}  // namespace reprise::channel
