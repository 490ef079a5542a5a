// What older code left behind for new code: effects and events that it may come to, and results
// that came for effects that it has not asked for yet. Empty, and no cost, for runs without an
// assignment.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "engine/history.h"

namespace reprise {

/// A result with its own bytes: it is held for as long as the new code takes to ask for its effect,
/// and the commit or the buffers that it was read from may be gone by then.
class HeldResult {
 public:
  explicit HeldResult(const RecordedActivation& result);
  /// Views live as long as this, wherever it is moved.
  const RecordedActivation& get() const { return x_result; }

 private:
  std::unique_ptr<const std::string> x_data;
  RecordedActivation x_result;
};

class Reserve {
 public:
  /// As the assignment of the history says; the views of the history must stay valid.
  Reserve(const History& history, JsonReader& reader);
  /// For making a plan: everything that was ever asked for and stands; what was `withdrawn`, too.
  static Reserve for_plan(const History& history, JsonReader& reader, bool withdrawn);

  /// A result of an effect that the process has not asked for is kept back.
  bool holds(const RecordedActivation& activation);
  /// The process asked for the effect.
  void ask(uint64_t effect);
  /// The effect's number or the event's seq, when the command is one that older code had made: the
  /// lowest that is left. It is taken out.
  std::optional<uint64_t> adopt(const Command& command);
  /// The command was recorded as adopted.
  void adopted(const CommandRecord& command);
  /// Takes the result that was held for an effect.
  std::optional<HeldResult> release(uint64_t effect);
  /// Takes the oldest result that is held for an effect that was asked for.
  std::optional<HeldResult> release_oldest();

  /// What is left, ascending.
  std::vector<uint64_t> effects() const;
  std::vector<uint64_t> events() const;

 private:
  Reserve() = default;
  void offer(const CommandRecord& command, JsonReader& reader);
  void remove(uint64_t id, bool event);

  bool x_active = false;
  std::map<std::string, std::deque<uint64_t>> x_requests;  ///< by shape, ascending
  std::map<std::string, std::deque<uint64_t>> x_events;
  std::set<uint64_t> x_asked;
  std::map<uint64_t, HeldResult> x_held;  ///< by effect
};

}  // namespace reprise
