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

  /// The home of the next beat, until the one after it.
  void look_at(BeatHome& home);
  /// Those that run are asked to end: what they perform ends and stays pending.
  void stop();

  void begin() override;
  std::vector<std::string> runs() const override;
  std::vector<DriveResult> wait(int64_t at_most_ms, std::vector<BeatError>& errors) override;

 private:
  Words x_words;
  size_t x_most;
  BeatHome* x_home = nullptr;
  std::map<std::string, OwnProgram> x_running;  ///< by run
  std::set<std::string> x_tried;                ///< in this beat
};

}  // namespace reprise
