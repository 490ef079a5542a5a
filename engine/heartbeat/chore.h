// What a heartbeat does besides taking runs on that are due: each part of a home that has windows,
// times or deliveries of its own is a chore. A chore looks at the home, and tells runs what is due;
// what it tells has a key that names the occurrence, so two heartbeats at once, one that dies
// half-way and one that comes again do no harm. What follows from it, the runs decide.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/context.h"
#include "engine/heartbeat/asked_runs.h"
#include "engine/home/config.h"
#include "engine/index/run_index.h"
#include "engine/workspace.h"

namespace reprise {

/// The home as a heartbeat finds it. Everything outlives the beat.
struct BeatHome {
  Workspace& workspace;
  const Context& context;
  RunIndex& index;
  AskedRuns& asked;
  const Config& config;
  int64_t now_ms = 0;      ///< of the beat: every chore of one beat sees the same time
  bool simulated = false;  ///< --now was given: runs that the beat makes are simulated ones
  /// When the beat before was; nullopt: nobody knows. What is looked for now and then, and found
  /// nothing the last time, need not be looked for again.
  std::optional<int64_t> last_beat_ms = std::nullopt;
};

/// Something that is due.
struct Due {
  std::string key;   ///< tells it from every other of the chore: "daily@1767225600000"
  std::string what;  ///< for people, one line: "fire schedule daily (0 9 * * *)"
  std::string run;   ///< name of the run that is told; or empty
};

class Chore {
 public:
  virtual ~Chore() = default;
  /// "schedules": as --json and messages call it.
  virtual std::string_view name() const = 0;
  /// Does it wait for the world outside? Such a chore is done when nothing else is due.
  virtual bool is_slow() const { return false; }
  /// What is due, the most urgent first. Records nothing and changes nothing.
  virtual std::vector<Due> due(BeatHome& home) = 0;
  /// Does one of them; durable when it returns. Doing what was done before changes nothing. What
  /// goes wrong is an Error; the beat goes on with the others.
  virtual void perform(BeatHome& home, const Due& due) = 0;
};

}  // namespace reprise
