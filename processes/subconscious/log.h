// The activity log: one entry for each task of each tick.
//
//   in_progress        -> acted | skipped | awaiting_approval | failed | cancelled
//   awaiting_approval  -> in_progress (approved) | dismissed
//   failed             -> in_progress (an approved card is tried again)
//
// What is cancelled, skipped, acted or dismissed stays so.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>

#include "processes/kit/event.h"

namespace reprise::subconscious {

using kit::Event;
using kit::Json;

constexpr size_t kKeptEntries = 100;
constexpr size_t kKeptTextBytes = 400;

constexpr const char* kInProgress = "in_progress";
constexpr const char* kActed = "acted";
constexpr const char* kSkipped = "skipped";
constexpr const char* kAwaiting = "awaiting_approval";
constexpr const char* kFailed = "failed";
constexpr const char* kCancelled = "cancelled";
constexpr const char* kDismissed = "dismissed";

struct Entry {
  std::string id;  ///< "k17/task-4"
  std::string tick_id;
  std::string task_id;
  std::string title;  ///< of the task, then
  std::string state;
  std::string decision;  ///< "noop", "act", "escalate", or empty
  std::string text;
  int64_t began_ms = 0;
  int64_t changed_ms = 0;
  uint64_t revision = 0;  ///< grows with every change of the log

  Json to_json() const;
  static Entry from_json(const Json& json);
};

class Log {
 public:
  void begin(Entry entry);
  /// Nothing, when the entry is forgotten.
  void change(std::string_view id, const std::string& state, const std::string& decision,
              const std::string& text, int64_t at_ms);

  uint64_t revision() const { return x_revision; }
  const std::deque<Entry>& entries() const { return x_entries; }  ///< oldest first
  const Entry* find(std::string_view id) const;
  void keep_all() { x_keeps_all = true; }

  Json to_json() const;
  void restore(const Json& json);

 private:
  uint64_t x_revision = 0;
  std::deque<Entry> x_entries;
  bool x_keeps_all = false;
};

}  // namespace reprise::subconscious
