// run:drive: a run is taken as far as it goes, and what it asks for is performed, side by side, as
// far as the executors can; its child runs, too. The lock is free while work is done.
//
// What happens to the work of a drive that dies: its workers end with it, its claims name a process
// that is gone and are free at once, and the next drive begins the attempt anew.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/children.h"
#include "engine/context.h"
#include "engine/drive/performers.h"
#include "engine/machine.h"
#include "engine/post.h"
#include "engine/run_state.h"
#include "journal/error.h"

namespace reprise {

/// A time that comes so soon is waited for, without being asked.
constexpr int64_t kShortWaitMs = 30'000;

struct DriveRequest {
  std::string home;  ///< absolute; empty when the run lies in none
  std::string run;   ///< name of its directory
  std::string worker;
  uint64_t pid = 0;  ///< of this process
  size_t jobs = 4;
  int64_t lease_ms = 120'000;
  uint64_t min_free_bytes = 0;  ///< no work starts with less free space
  /// With nothing to perform it goes on for so long, for people, signals and times; else it ends,
  /// unless a time comes within kShortWaitMs.
  int64_t wait_ms = 0;
  /// What it performs and waits for; empty: everything.
  std::function<bool(const OpenEffect&)> wanted = {};
  /// Of the run's state, asked often: true, and no more work is begun; the drive ends when none is
  /// in hand. Empty: never.
  std::function<bool(const RunState&)> enough = {};

  bool wants(const OpenEffect& effect) const { return !wanted || wanted(effect); }
};

/// A piece of work in hand.
struct DriveWork {
  std::string run;
  OpenEffect effect;
  std::string executor;
  std::string token;
  int64_t started_at_ms = 0;
};

/// What a run waits for when there is nothing to perform.
struct DriveWait {
  enum class What : uint8_t {
    kPeople,    ///< a breakpoint, or an effect that is held
    kExecutor,  ///< none matches
    kOther,     ///< somebody else has claimed it
    kStart,     ///< it could be performed: the drive was stopped, or there is no space
    kTime,      ///< a sleep, or the pause before the next attempt
    kSignal,    ///< signals, or no effect at all
    kResume,    ///< the run is paused
  };
  What what{};
  std::string run;
  std::optional<OpenEffect> effect;  ///< not for kSignal and kResume
  std::vector<std::string> signals;  ///< kSignal: their names, as far as they are known
};
std::string_view wait_name(DriveWait::What what);

/// A run that the drive looks after, as those who watch see it. Valid during the call.
struct DrivenRun {
  const std::string& name;
  Dir& dir;
  const RunState& state;
};

/// Hears what happens. Calls come one at a time, from any thread.
class DriveListener {
 public:
  virtual ~DriveListener() = default;
  virtual void started(const DriveWork& work) = 0;
  virtual void output(const DriveWork& work, bool is_error, std::string_view bytes) = 0;
  virtual void progress(const DriveWork& work, std::string_view json) = 0;
  /// It was posted; `posted` says whether another attempt follows.
  virtual void finished(const DriveWork& work, const Post& post, const Posted& posted) = 0;
  /// Its outcome is not wanted any more, or was refused: why.
  virtual void dropped(const DriveWork& work, const std::string& why) = 0;
  /// The task's own timeout ended the attempt, and its work has ended now.
  virtual void expired(const DriveWork& work, int64_t at_ms) = 0;
  /// Work was told to end, and so many pieces of it are still to do so.
  virtual void stopping(const std::string& run, size_t running) = 0;
  virtual void logged(const std::string& run, const std::vector<LogLine>& lines) = 0;
  virtual void noted(const std::string& run, const std::string& note) = 0;
  /// Several times a second while the drive waits; it may answer what people are asked. True: it is
  /// asking somebody right now, so the drive goes on waiting.
  virtual bool idle(std::span<const DrivenRun> runs) = 0;
};

struct DriveEnd {
  RunState state;  ///< of the run
  int64_t at_ms = 0;
  uint64_t performed = 0;        ///< results that were recorded
  std::vector<DriveWait> waits;  ///< of the run and its children; empty when it ended
  int signal = 0;                ///< that stopped the drive; else 0
  bool no_space = false;         ///< less than min_free_bytes: work was not begun
  uint64_t free_bytes = 0;       ///< there were then
  std::optional<Error> failure;  ///< that ended the drive
  /// Results that could not be recorded, with what to say of each.
  struct Unstored {
    DriveWork work;
    Post post;
    std::string why;
  };
  std::vector<Unstored> unstored;
};

/// Drives the run until it ends or there is nothing to do. What goes wrong after the beginning is
/// in the end; errors at the beginning (open_run, RUN_HAS_NO_PROCESS) are, too.
DriveEnd drive(const RunFolder& folder, const Context& context, Performers& performers,
               DriveListener& listener, const DriveRequest& request);

}  // namespace reprise
