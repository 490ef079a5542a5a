// Many lives, each drawn from a seed; the same seed gives the same journal, byte for byte. In the
// suite 10,000 seeds, with REPRISE_NIGHTLY=1 a million. REPRISE_SIMULATION_SEEDS=100000 makes as
// many as that, REPRISE_SIMULATION_FIRST=77 begins at that seed. Sanitized builds live fewer.
//
// The same is done to scripts, slower, and to their new code, by model_test and course_model_test
// of tests/engine.
#include "tests/simulation/simulation.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <iostream>

#include "tests/fakes/seeds.h"

namespace reprise::test {
namespace {

#ifdef REPRISE_SANITIZED
constexpr uint64_t kSeeds = 500;
constexpr uint64_t kNightly = 20'000;
#else
constexpr uint64_t kSeeds = 10'000;
constexpr uint64_t kNightly = 1'000'000;
#endif
constexpr uint64_t kTwiceEvery = 20;  ///< so many seeds are lived a second time

TEST_CASE("Whatever happens to a run, its journal is that of a simple model") {
  const bool nightly = std::getenv("REPRISE_NIGHTLY") != nullptr;
  const auto first = number_from("REPRISE_SIMULATION_FIRST", 1);
  const auto seeds = number_from("REPRISE_SIMULATION_SEEDS", nightly ? kNightly : kSeeds);
  std::map<std::string, uint64_t> counts;
  for (uint64_t seed = first; seed < first + seeds; ++seed) {
    const auto steps = steps_of(seed);
    const auto life = live(steps);
    for (const auto& [what, count] : life.counts) counts[what] += count;
    if (!life.failure.empty()) {
      const auto least = live(shrink(steps));
      FAIL("REPRISE_SIMULATION_FIRST=" << seed << " REPRISE_SIMULATION_SEEDS=1 repeats it: "
                                       << least.failure << "\nafter\n"
                                       << least.story);
    }
    if (seed % kTwiceEvery != 0) continue;
    INFO("seed " << seed);
    CHECK(live(steps).journal == life.journal);
  }
  std::cout << seeds << " seeds:";
  for (const auto& [what, count] : counts) std::cout << ' ' << count << ' ' << what << ',';
  std::cout << '\n';
  if (seeds < kSeeds) return;
  for (const auto* what : {"post refused", "claim refused", "cancel", "pause", "halt", "retry",
                           "retry refused", "rewind", "fault", "killed", "power failure",
                           "RUN_COMPLETED", "RUN_FAILED", "RUN_HALTED"}) {
    INFO(what);
    CHECK(counts[what] > 0);
  }
}

TEST_CASE("A disk that forgets what it was told to keep is noticed, and the life shrinks") {
  for (uint64_t seed = 1; seed < 200; ++seed) {
    const auto steps = steps_of(seed);
    if (live(steps, DiskKind::kForgets).failure.empty()) continue;
    const auto least = shrink(steps, DiskKind::kForgets);
    CHECK_FALSE(live(least, DiskKind::kForgets).failure.empty());
    CHECK(least.size() <= 3);
    return;
  }
  FAIL("nothing was noticed");
}

}  // namespace
}  // namespace reprise::test
