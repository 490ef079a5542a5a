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
#include "tests/simulation/relatives.h"

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

/// Lives as many seeds as are asked for; those of the suite come to everything in `expected`.
void live_all(const std::function<Life(const StepSeeds&)>& relive, uint64_t usual,
              uint64_t nightly_seeds, std::initializer_list<const char*> expected) {
  const bool nightly = std::getenv("REPRISE_NIGHTLY") != nullptr;
  const auto first = number_from("REPRISE_SIMULATION_FIRST", 1);
  const auto seeds = number_from("REPRISE_SIMULATION_SEEDS", nightly ? nightly_seeds : usual);
  std::map<std::string, uint64_t> counts;
  for (uint64_t seed = first; seed < first + seeds; ++seed) {
    const auto steps = steps_of(seed);
    const auto life = relive(steps);
    for (const auto& [what, count] : life.counts) counts[what] += count;
    if (!life.failure.empty()) {
      const auto least = relive(shrink(steps, relive));
      FAIL("REPRISE_SIMULATION_FIRST=" << seed << " REPRISE_SIMULATION_SEEDS=1 repeats it: "
                                       << least.failure << "\nafter\n"
                                       << least.story);
    }
    if (seed % kTwiceEvery != 0) continue;
    INFO("seed " << seed);
    CHECK(relive(steps).journal == life.journal);
  }
  std::cout << seeds << " seeds:";
  for (const auto& [what, count] : counts) std::cout << ' ' << count << ' ' << what << ',';
  std::cout << '\n';
  if (seeds < usual) return;
  for (const auto* what : expected) {
    INFO(what);
    CHECK(counts[what] > 0);
  }
}

Life live_on_a_true_disk(const StepSeeds& steps) { return live(steps); }
Life live_on_a_forgetting_disk(const StepSeeds& steps) { return live(steps, DiskKind::kForgets); }

TEST_CASE("Whatever happens to a run, its journal is that of a simple model") {
  live_all(live_on_a_true_disk, kSeeds, kNightly,
           {"post refused", "claim refused", "cancel", "pause", "halt", "retry", "retry refused",
            "rewind", "rules", "rules refused", "fault", "killed", "power failure", "RUN_COMPLETED",
            "RUN_FAILED", "RUN_HALTED"});
}

TEST_CASE("Nothing of one life reaches another, nothing is lost, and nothing arrives twice") {
  live_all(
      [](const StepSeeds& steps) { return live_among_relatives(steps); }, kSeeds / 5, kNightly / 5,
      {"make again", "signal sent", "child's result", "child refused", "fault", "power failure"});
}

TEST_CASE("Runs without identities are noticed when they are made again") {
  for (uint64_t seed = 1; seed < 200; ++seed) {
    const auto life = live_among_relatives(steps_of(seed), Carelessness::kForgetsIdentities);
    if (!life.failure.empty()) return;
  }
  FAIL("nothing was noticed");
}

TEST_CASE("A disk that forgets what it was told to keep is noticed, and the life shrinks") {
  for (uint64_t seed = 1; seed < 200; ++seed) {
    const auto steps = steps_of(seed);
    if (live_on_a_forgetting_disk(steps).failure.empty()) continue;
    const auto least = shrink(steps, live_on_a_forgetting_disk);
    CHECK_FALSE(live_on_a_forgetting_disk(least).failure.empty());
    CHECK(least.size() <= 3);
    return;
  }
  FAIL("nothing was noticed");
}

}  // namespace
}  // namespace reprise::test
