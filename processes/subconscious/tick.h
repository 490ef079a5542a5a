// The tick that is open, and what is known of those before it.
//
//   none        heartbeat.tick.opened      -> evaluating
//   evaluating  heartbeat.tick.evaluated   -> executing
//   executing   heartbeat.tick.completed   -> none
//   evaluating  heartbeat.tick.failed      -> none
//   both        heartbeat.tick.superseded  -> none         by the next one
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "processes/kit/event.h"

namespace reprise::subconscious {

using kit::Event;
using kit::Json;

struct Decided {
  std::string decision;
  std::string reason;
};

/// What a tick was opened with, as the configuration was then.
struct Tick {
  std::string id;       ///< "k17", of the signal's record; empty: none is open
  std::string trigger;  ///< "window" or "manual"
  int64_t opened_ms = 0;
  int64_t since_ms = 0;                 ///< what happened before, a completed tick has seen
  std::vector<std::string> due;         ///< ids of tasks
  std::map<std::string, int64_t> next;  ///< of cron tasks: when they are due after this
  bool approves_writes = false;
  std::vector<std::string> executors;  ///< names that the home has
  std::string report;
  bool evaluated = false;
  std::map<std::string, Decided> decided;  ///< by task
  std::set<std::string> open;              ///< tasks whose entry is in progress

  bool is_open() const { return !id.empty(); }

  Json to_json() const;
  static Tick from_json(const Json& json);
};

struct Ticks {
  Tick current;
  uint64_t total = 0;
  uint64_t failures = 0;     ///< ticks that failed since the last completed one
  int64_t last_window = 0;   ///< where the newest window began that a tick was opened for
  int64_t last_seen_ms = 0;  ///< when the last completed tick was opened; 0: none was
  std::string last_id;
  std::string last_state;  ///< "completed", "failed", "superseded", or "open"
  std::string last_text;   ///< why it failed
  int64_t last_ms = 0;

  void evolve(const Event& event);
  Json to_json() const;
  void restore(const Json& json);

 private:
  void open(const Event& event);
  void end(const char* state, const std::string& text);
};

}  // namespace reprise::subconscious
