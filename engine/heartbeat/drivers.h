// The runs that heartbeats may drive are driven, each by a run:drive of its own: a program that
// goes on for long, or dies, is one run's business.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/heartbeat/beat.h"
#include "engine/heartbeat/own_program.h"

namespace reprise {

/// Of runs that heartbeats may drive: those with effects that an executor of the configuration
/// performs, and that nobody works on, the longest waiting first.
struct Drivable {
  std::string run;
  std::set<std::string> work;  ///< what is to be performed: "run/t1#attempt"
};
std::vector<Drivable> list_drivable(BeatHome& home);

class Drivers final : public BeatDrivers {
 public:
  /// The words of a command that drives a run and answers as run:drive --json does.
  using Words = std::function<std::vector<std::string>(const std::string& run)>;

  Drivers(Words words, size_t most) : x_words(std::move(words)), x_most(most) {}

  /// A beat begins: what was tried in the one before may be tried again.
  void begin_beat() { x_tried.clear(); }
  /// Waits until one ends, at most so long.
  void pause(int64_t at_most_ms);
  /// Those that run are asked to end: what they perform ends and stays pending.
  void stop();

  void begin(BeatHome& home) override;
  std::vector<std::string> runs() const override;
  std::vector<DriveResult> collect(std::vector<BeatError>& errors) override;

 private:
  Words x_words;
  size_t x_most;
  std::map<std::string, OwnProgram> x_running;  ///< by run
  std::map<std::string, OwnAnswer> x_ended;
  std::set<std::string> x_tried;  ///< work, in this beat
};

}  // namespace reprise
