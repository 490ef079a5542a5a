// The state of a loop: one plain struct for each noun, each folding the events that it knows.
// Nothing else changes it (but for `effects`, which follows requests and results).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "processes/kit/effects.h"
#include "processes/kit/pen.h"
#include "processes/subconscious/card.h"
#include "processes/subconscious/log.h"
#include "processes/subconscious/task.h"
#include "processes/subconscious/tick.h"

namespace reprise::subconscious {

struct Pause {
  std::string reason;
  std::string by;  ///< empty: the loop itself
  int64_t since_ms = 0;

  bool is_on() const { return since_ms != 0; }
};

struct Loop {
  Tasks tasks;
  Ticks ticks;
  Cards cards;
  Log log;
  Pause pause;
  kit::Effects effects;

  void evolve(const Event& event);
  /// A request was recorded.
  void requested(uint64_t effect, kit::Owner owner);
  void keep_all();

  /// Tasks that a tick would be opened for, the longest due first: enabled, not completed, their
  /// time has come, nobody is asked about them, and nothing with full permission that was begun for
  /// them is unresolved.
  std::vector<const Task*> due(int64_t now_ms) const;
  /// Key of the open effect with full permission that a task has in the open tick, or that outlived
  /// its tick, or that runs an approved card; empty: none.
  std::string full_work_of(const Task& task) const;

  /// The effect, or the pause before another attempt, that a task of the open tick waits for, and
  /// that may be given up: it has no full permission. 0: none.
  uint64_t light_work_of(const std::string& task_id) const;

  Json to_json() const;
  /// False when the snapshot is of another version.
  bool restore(const Json& json);
};

using Pen = kit::Pen<Loop>;

}  // namespace reprise::subconscious
