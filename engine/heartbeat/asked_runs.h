// The runs that a home keeps for itself, as they were read last: every beat asks most of them, some
// more than once, and between two beats of a loop mostly nobody writes them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "engine/ask.h"
#include "engine/home_run.h"
#include "engine/index/run_reader.h"

namespace reprise {

struct BeatHome;

class AskedRuns {
 public:
  using Use = std::function<void(const Machine&, const RunState&)>;

  /// Gives `use` the run as it is now; one whose journal looks as it did is not read again. False,
  /// and `use` is not called, when there is no such run, or nobody to ask in it. Errors: those of
  /// find_home_run, of reading, and of `use`; SIMULATED_HOME (exit 4) when the run is a simulated
  /// one and the beat is not.
  bool ask(BeatHome& home, const HomeRun& wanted, const Use& use);

 private:
  struct Kept {
    RunHandle run;
    JournalFile file;  ///< before it was read
    std::unique_ptr<AskedRun> asked;
  };
  static std::shared_ptr<const Kept> read(BeatHome& home, const HomeRun& wanted);

  std::map<std::string, std::shared_ptr<const Kept>> x_kept;  ///< by name
};

}  // namespace reprise
