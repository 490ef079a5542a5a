// Cutting the power while commands run, at every place, and looking at what is left.
//
// A scene is a home, and commands that are given in it one after the other. They run once, with
// everything that the disk is told written down; then every disk that a power failure may leave
// behind is made (disk.h), and judged:
//   * the journals hold every acknowledged record, unchanged, and of the command in flight whole
//     commits or nothing;
//   * the runs are whole; repairing them changes nothing that can be read, repeating it nothing;
//   * the command in flight, repeated, succeeds, and so do those behind it; then the runs, driven
//     to their end, decide what they decide without the failure.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/engine/folder_fixture.h"
#include "tests/power/disk.h"

namespace reprise::test {

/// A home and the machine it is on.
class Site {
 public:
  explicit Site(std::unique_ptr<Dir> runs);

  void create(const std::string& id, const ProcessChoice& process, const std::string& inputs);
  TestRun run(const std::string& id) { return {world, world.runs->open_dir(id)}; }
  Iteration iterate(const std::string& id);
  /// Iterates and posts until nothing happens any more.
  void finish();
  RunFolder folder();

  World world;
};

using Command = std::function<void(Site&)>;

struct Scene {
  std::string name;
  Command prepare;
  /// Each can be repeated, and succeeds then, too.
  std::vector<Command> commands;
  bool mends = false;  ///< before it the runs may be unreadable: only the end is compared
};

constexpr uint64_t kSamplesAgain = 200;
constexpr uint64_t kMostAgain = 20;

struct Power {
  uint64_t samples = 200;  ///< of places with too many pending changes for all states; in a
                           ///< recovery at most kSamplesAgain
  uint64_t again = 0;      ///< of so many states one is cut again while it recovers, kMostAgain at
                           ///< most in a scene; 0: none
  bool all = false;  ///< also states that differ only in the files of tasks, which no command reads
  std::function<bool(const std::string&)> forgets;  ///< DiskLog::forgets
};

struct Findings {
  uint64_t places = 0;                  ///< at which the power was cut
  uint64_t states = 0;                  ///< that were judged: different ones
  uint64_t sampled = 0;                 ///< places of which not all states were tried
  std::vector<std::string> violations;  ///< the first few
};

Findings cut_power_in(const Scene& scene, const Power& power);

}  // namespace reprise::test
