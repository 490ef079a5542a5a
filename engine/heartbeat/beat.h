// One beat of a home: whatever is due is begun, done or told, round after round until nothing is
// due any more or the bounds are reached. Two beats at once do no harm: a chore's keys and a run's
// lock see to that. What goes wrong with one run or one chore never stops the others.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/heartbeat/chore.h"
#include "engine/index/due.h"

namespace reprise {

/// What became of a run that was taken on.
struct TakenOn {
  bool changed = false;            ///< false: there was nothing to do after all
  std::string status;              ///< "waiting", "completed", ...
  std::vector<std::string> notes;  ///< what could not be done with its relatives, and the like
};

/// The runs of the home, as a beat needs them.
class BeatRuns {
 public:
  virtual ~BeatRuns() = default;
  /// As list_due.
  virtual std::vector<DueRun> due(uint64_t limit) = 0;
  /// Takes one as far as it goes by itself. What goes wrong is an Error; one with exit 7 means that
  /// somebody else has the run, or what it needs, just now.
  virtual TakenOn take_on(const DueRun& run) = 0;
};

struct BeatError {
  std::string part;  ///< name of a chore; "run" or "drive" for runs
  std::string name;  ///< of the run, or key of what was due; or empty
  std::string code;
  std::string message;
};

/// A run that was driven: its effects were performed.
struct DriveResult {
  std::string run;
  std::string status;      ///< "completed", "waiting", ...; empty when it could not be driven
  uint64_t performed = 0;  ///< results that were recorded
};

/// Performs effects of the runs that are for heartbeats to drive, beside the beat. What it began
/// goes on when the beat has ended.
class BeatDrivers {
 public:
  virtual ~BeatDrivers() = default;
  /// Begins what can be begun.
  virtual void begin() = 0;
  /// Those that are being driven.
  virtual std::vector<std::string> runs() const = 0;
  /// Waits at most so long for one to end. What ended is told once.
  virtual std::vector<DriveResult> wait(int64_t at_most_ms, std::vector<BeatError>& errors) = 0;
};

struct BeatBounds {
  uint64_t max_runs = 1000;    ///< so many times a run is taken on, or a chore does something
  std::function<bool()> over;  ///< no more is begun; empty: never
};

struct BeatDone {
  struct ChoreDone {
    std::string chore;
    Due due;
  };
  struct RunDone {
    std::string run;
    DueRun::Why why{};   ///< the first time
    uint64_t times = 0;  ///< that it was taken on
    std::string status;  ///< the last time
  };
  std::vector<ChoreDone> chores;
  std::vector<RunDone> runs;
  std::vector<DriveResult> driven;
  std::vector<std::string> driving;  ///< they are still being driven
  std::vector<std::string> locked;   ///< runs that somebody else was writing
  std::vector<BeatError> errors;
  std::vector<std::string> notes;
  bool more = false;  ///< something is due still: the bounds were reached

  /// Nothing was due.
  bool quiet() const {
    return chores.empty() && runs.empty() && driven.empty() && driving.empty() && locked.empty() &&
           errors.empty() && !more;
  }
};

/// What a beat is made of. Everything outlives the beat.
struct BeatParts {
  BeatHome& home;
  std::span<const std::unique_ptr<Chore>> chores;
  BeatRuns& runs;
  BeatDrivers* drivers = nullptr;  ///< null: no effects are performed
  bool waits = true;               ///< for what is driven, until `over`
};

BeatDone beat(const BeatParts& parts, const BeatBounds& bounds);

}  // namespace reprise
