// What is on the board: folded from its events, and from nothing else.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "processes/board/json.h"
#include "processes/board/status.h"

namespace reprise::board {

/// So many cards that are over are remembered; the others are in the journal only.
constexpr size_t kMostOver = 200;
/// Of one card.
constexpr size_t kMostMoves = 20;

struct Project {
  std::string id;
  std::string name;
  std::string description;
  std::string by;
  int64_t created_ms = 0;
  std::vector<std::string> channels;  ///< in the order of their linking

  bool has(std::string_view channel) const;
};

/// A worker of a card, from the asking for it until its end is heard of.
struct Work {
  std::string channel;
  std::string worker;     ///< its id in the channel; empty until the channel was heard of
  bool unwanted = false;  ///< the card has gone elsewhere: the worker is to end
  bool told = false;      ///< the channel was told to end it
};

struct Card {
  std::string id;  ///< "card-3"
  std::string project;
  std::string title;
  std::string description;
  std::string priority;
  Status status = Status::kBacklog;
  std::string channel;  ///< where its worker works; empty: people do it
  std::string agent;    ///< that the worker is to be; empty: any
  std::string by;       ///< who added it
  std::string reason;   ///< of its last move
  Json origin;          ///< {"channel","branchId","seq"} of a proposal, or null
  Json moves = Json::array();
  int64_t created_ms = 0;
  int64_t updated_ms = 0;
  uint64_t number = 0;    ///< of its id
  uint64_t signal = 0;    ///< the record that added it; 0: it was proposed
  uint64_t attempts = 0;  ///< how many workers were asked for
  uint64_t over_at = 0;   ///< orders the cards that are over; 0: it is not
  std::optional<Work> work;
};

class Board {
 public:
  bool keeps_all = false;

  std::map<std::string, Project> projects;
  std::map<std::string, Card> cards;
  std::map<std::string, uint64_t> heard;  ///< of each channel, up to which record
  uint64_t numbers = 0;                   ///< of cards that there ever were
  std::map<uint64_t, std::string> open;   ///< requests by effect: their keys

  void evolve(std::string_view type, const Json& payload, int64_t at_ms);

  /// nullptr when there is none.
  const Card* find_card(const std::string& id) const;
  const Card* find_added_by(uint64_t signal) const;
  const Project* project_of_channel(std::string_view channel) const;
  /// The card that a worker of the channel works at.
  const Card* find_by_worker(const std::string& channel, const std::string& worker) const;
  /// A card of the project that is not over and has that title, but for case and spaces.
  const Card* find_same(const std::string& project, const std::string& title) const;
  /// By priority, the highest first, then by age.
  std::vector<const Card*> in_order() const;

  Json to_json() const;
  /// False when it is of another version.
  bool restore(const Json& json);

 private:
  void evolve_project(std::string_view type, const Json& payload, int64_t at_ms);
  void evolve_card(std::string_view type, const Json& payload, int64_t at_ms);
  void evolve_work(std::string_view type, const Json& payload, Card& card);
  void move(Card& card, const Json& payload, int64_t at_ms);
  void forget_old();

  uint64_t x_over = 0;
};

Json to_json(const Project& project);
Json to_json(const Card& card);

}  // namespace reprise::board
