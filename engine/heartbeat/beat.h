// One beat of a home: whatever is due is begun, done or told, round after round until nothing is
// due any more or the bounds are reached. Two beats at once do no harm: a chore's keys and a run's
// lock see to that. What goes wrong with one run or one chore never stops the others.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/heartbeat/chore.h"
#include "engine/index/due.h"
#include "journal/error.h"

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

  /// "schedules: ...", "run web: ..."
  std::string text() const { return part + (name.empty() ? "" : " " + name) + ": " + message; }
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
  /// Begins what can be begun in this home.
  virtual void begin(BeatHome& home) = 0;
  /// Those that are being driven.
  virtual std::vector<std::string> runs() const = 0;
  /// What ended since. Each is told once.
  virtual std::vector<DriveResult> collect(std::vector<BeatError>& errors) = 0;
};

struct BeatBounds {
  uint64_t max_runs = 1000;    ///< so many times a run goes on, or a chore does something
  std::function<bool()> over;  ///< its time is over: nothing more is begun; empty: never
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

/// What a beat is made of.
struct BeatParts {
  BeatHome& home;
  std::span<const std::unique_ptr<Chore>> chores;
  BeatRuns& runs;
  BeatDrivers* drivers = nullptr;  ///< null: no effects are performed
};

class Beat {
 public:
  explicit Beat(BeatBounds bounds) : x_bounds(std::move(bounds)) {}

  /// Rounds until nothing is due. May be called again in the same beat, as when what is driven has
  /// brought something: what failed before is left alone.
  void go(const BeatParts& parts);
  const BeatDone& done() const { return x_done; }

 private:
  bool out_of_bounds() const { return x_left == 0 || (x_bounds.over && x_bounds.over()); }
  void add_error(std::string part, std::string name, const Error& error);
  bool do_chores(const BeatParts& parts, bool slow);
  bool do_chore(Chore& chore, BeatHome& home);
  bool perform(Chore& chore, BeatHome& home, const Due& due);
  bool advance_page(BeatRuns& runs, bool& did);
  bool take_on(BeatRuns& runs, const DueRun& due);
  void record(const DueRun& due, std::string status);
  bool drive(BeatDrivers& drivers, BeatHome& home);

  BeatBounds x_bounds;
  uint64_t x_left = x_bounds.max_runs;
  BeatDone x_done;
  std::set<std::string> x_failed;  ///< chores that cannot say what is due
  std::set<std::pair<std::string, std::string>> x_occurrences;  ///< chore and key: done, or failed
  std::set<std::pair<std::string, DueRun::Why>> x_left_alone;   ///< runs: failed, locked, or idle
  std::set<std::string> x_notes;
  std::map<std::string, size_t> x_places;  ///< of runs in x_done
};

}  // namespace reprise
