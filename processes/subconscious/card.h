// Approval cards: what a person is asked before it is done. They live outside of ticks.
//
//   pending   heartbeat.card.resolved  -> approved | dismissed
//   approved  heartbeat.card.executed  -> executed | failed
//   failed    heartbeat.card.retried   -> approved
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "processes/kit/event.h"

namespace reprise::subconscious {

using kit::Event;
using kit::Json;

constexpr size_t kKeptCards = 100;  ///< of those that are settled

struct Card {
  std::string id;  ///< "card-2"
  std::string task_id;
  std::string entry_id;  ///< of the log
  std::string title;
  std::string description;
  std::string action;    ///< exactly what is run when it is approved
  std::string priority;  ///< "critical", "important" or "normal"
  std::string fix;       ///< a command that mends what it is about; or empty
  std::string kind;      ///< of the effect that runs it: "agent" or "act"
  std::string status = "pending";
  std::string by;       ///< who answered
  std::string error;    ///< of the last run
  uint64_t effect = 0;  ///< its breakpoint
  uint64_t runs = 0;    ///< how often its action was begun
  int64_t raised_ms = 0;
  bool once = false;  ///< its task is to be done once

  /// Somebody is asked, or its action runs.
  bool is_open() const { return status == "pending" || status == "approved"; }

  Json to_json() const;
  static Card from_json(const Json& json);
};

struct Cards {
  uint64_t raised = 0;             ///< how many there have been
  std::map<uint64_t, Card> known;  ///< by number
  bool keeps_all = false;

  const Card* find(std::string_view id) const;
  const Card* find_effect(uint64_t effect) const;
  /// The newest of a task for this action; nullptr when there is none.
  const Card* newest_for(std::string_view task_id, std::string_view action) const;
  /// The one of a task that is open; nullptr when none is.
  const Card* open_of(std::string_view task_id) const;
  uint64_t pending() const;

  void evolve(const Event& event);
  /// Its breakpoint was requested.
  void asked(std::string_view id, uint64_t effect);
  Json to_json() const;
  void restore(const Json& json);

 private:
  void forget_old();
};

}  // namespace reprise::subconscious
