// The tasks of a loop, and when each is due.
//
//   enabled   heartbeat.task.disabled -> disabled     (by a person, or by HEARTBEAT.md)
//   disabled  heartbeat.task.enabled  -> enabled
//   any       heartbeat.task.completed (it was to be done once) -> completed
//   of users  heartbeat.task.removed  -> gone
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "processes/kit/event.h"

namespace reprise::subconscious {

using kit::Event;
using kit::Json;

constexpr size_t kMostTasks = 500;
constexpr size_t kMostTitleBytes = 500;

struct Task {
  std::string id;  ///< "task-4"
  std::string title;
  std::string source;        ///< "system" or "user"
  std::string origin;        ///< "default", "heartbeat" (HEARTBEAT.md) or "user"
  std::string recurrence;    ///< "tick", "once" or "cron"
  std::string cron;          ///< of cron: five fields
  std::string zone;          ///< of cron; empty: UTC
  bool writes = false;       ///< its intent
  std::string intent_basis;  ///< "explicit" or "words"
  bool enabled = true;
  std::string disabled_by;  ///< "HEARTBEAT.md" when its line is gone
  bool completed = false;
  int64_t created_ms = 0;
  std::optional<int64_t> next_ms;  ///< of cron: not due before
  int64_t last_run_ms = 0;         ///< when it was last evaluated; 0: never
  /// Key of its request with full permission that outlived its tick; empty: there is none.
  std::string outstanding;
  std::optional<int64_t> outstanding_next_ms;  ///< of cron: when it is due after that

  bool is_system() const { return source == "system"; }
  /// Enabled, not completed, and its time has come. What else keeps it back, Loop::due knows.
  bool is_time(int64_t now_ms) const {
    return enabled && !completed && (!next_ms || *next_ms <= now_ms);
  }
  const char* intent() const { return writes ? "write" : "read"; }

  Json to_json() const;
  static Task from_json(const Json& json);
};

struct Tasks {
  uint64_t added = 0;              ///< how many there have been
  std::map<uint64_t, Task> known;  ///< by number, so in the order in which they came
  std::string file_digest;         ///< of the HEARTBEAT.md that was taken over last

  const Task* find(std::string_view id) const;
  const Task* find_title(std::string_view title) const;

  void evolve(const Event& event);
  Json to_json() const;
  void restore(const Json& json);

 private:
  Task* find_to_change(std::string_view id);
  void add(const Event& event);
};

}  // namespace reprise::subconscious
