// What people are asked before it is done, and what comes of their answer.
#pragma once

#include "processes/subconscious/state.h"
#include "processes/subconscious/work_key.h"

namespace reprise::subconscious {

struct Proposal {
  std::string action;  ///< exactly what would be run
  std::string description;
  std::string priority;
  std::string kind;  ///< of the effect that would run it
};

/// A card for a task of the open tick, whose entry then waits for approval. What was denied before,
/// or approved and failed, is not asked again with the same words.
void raise_card(Pen& pen, const Task& task, const Proposal& proposal);

/// The answer to a card.
void resolve_card(Pen& pen, const kit::Result& result);
/// Of what was approved.
void resolve_approved(Pen& pen, const kit::Result& result);
/// The pause before another attempt is over.
void go_on_with_card(Pen& pen, const WorkKey& key);
/// A failed card's action is run again.
void retry_card(Pen& pen, const Card& card, const std::string& by);
/// A pending card is not asked any more.
void withdraw_card(Pen& pen, const Card& card, const std::string& by);
/// The run of an approved card is given up.
void abandon_card(Pen& pen, const Card& card, uint64_t effect, const std::string& why);

/// The command that mends what a text is about, when that is an executor or a connection; or empty.
std::string fix_for(std::string_view text, const std::vector<std::string>& executors);

}  // namespace reprise::subconscious
