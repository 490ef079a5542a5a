// The work in hand of a drive, of all the runs that it looks after.
#pragma once

#include <cstdint>
#include <map>

#include "engine/drive/drive.h"
#include "engine/drive/member.h"
#include "engine/drive/performers.h"

namespace reprise {

class Crew {
 public:
  Crew(Performers& performers, DriveListener& listener)
      : x_performers(performers), x_listener(listener) {}

  bool empty() const { return x_running.empty(); }
  size_t size() const { return x_running.size(); }
  bool is_stopping() const { return x_stopping; }

  /// Begins the work of an effect that was claimed. Error when it cannot be begun: its claim is
  /// among the member's releases then.
  void start(Member& member, const OpenEffect& effect, Work& work, const ExecutorConfig& executor,
             int64_t now_ms);
  /// The effect was settled or given up meanwhile, or the task's own timeout ended the attempt: the
  /// work is for nothing, and ends. What was done by then all the same is posted, and may be
  /// recorded as late.
  void lose(Member& member, uint64_t effect, int64_t now_ms);
  /// Does work of the run still end that is for nothing?
  bool is_ending(const Member& member) const;
  /// Is the effect to begin only when other work has ended: that of an attempt of its own that is
  /// over, or of an effect that is open no more?
  bool holds_back(const Member& member, uint64_t effect) const;
  /// Everything ends: what is stopped goes to the releases of its member.
  void stop();
  /// Takes what the performers tell, waiting at most so long: results and reports go to their
  /// members. False when there was nothing. `signal` as in Performers::wait.
  bool take_events(int64_t at_most_ms, int& signal);

 private:
  struct Running {
    Member* member = nullptr;
    DriveWork work;
    bool wanted = true;
    int64_t expired_at_ms = 0;  ///< the timeout ended the attempt then; 0: it did not
  };
  void take(const WorkerEvent& event);
  void take_outcome(const Running& running, const Outcome& outcome);

  Performers& x_performers;
  DriveListener& x_listener;
  std::map<uint64_t, Running> x_running;  ///< by the name that the performers gave it
  bool x_stopping = false;
};

}  // namespace reprise
