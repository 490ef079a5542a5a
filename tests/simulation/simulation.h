// One life of a run, drawn from a seed: the real engine on files in memory, commands that come in
// any order, disks that fail, processes that are killed at any write, power that goes; beside it
// the model, which must always have recorded the same.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace reprise::test {

/// Each step is drawn from a number of its own: the others mean the same when one is left out.
using StepSeeds = std::vector<uint64_t>;
StepSeeds steps_of(uint64_t seed);

/// What the program's disk is like.
enum class DiskKind : uint8_t {
  kTrue,
  kForgets,  ///< it says that it has synced, and has not: who looks must notice
};

struct Life {
  std::string failure;                     ///< what did not hold; empty: everything did
  std::string story;                       ///< what was done, a line for each step
  std::string journal;                     ///< its bytes, at the end
  std::map<std::string, uint64_t> counts;  ///< of what was done, met and come to
};

Life live(const StepSeeds& steps, DiskKind disk = DiskKind::kTrue);

/// The steps of a life that fails without those that it fails without, too.
StepSeeds shrink(StepSeeds steps, const std::function<Life(const StepSeeds&)>& relive);

}  // namespace reprise::test
