// Those who work on a run of the model test, two of them: they claim, renew, give back, report, die
// and come back; and a person who decides about effects that are held.
#pragma once

#include <catch2/catch.hpp>
#include <string>

#include "tests/engine/model_oracle.h"
#include "tests/engine/model_program.h"
#include "tests/engine/run_fixture.h"

namespace reprise::test {

/// Exit code 4 or 10 of an action is a refusal: its code is returned, and it must have changed
/// nothing. Empty when it was not refused.
template <typename Action>
std::string refusal_of(TestRun& run, Action action);

class Workers {
 public:
  Workers(World& world, Dice& dice) : x_world(world), x_dice(dice) {}

  /// Something that one of them does. `dir` may fail; `run` is the same one and does not.
  void act(TestRun& run, Dir& dir, Acknowledged& told);

 private:
  void claim(TestRun& run, Dir& dir, Acknowledged& told);
  void use_claim(TestRun& run, Dir& dir, const Acknowledged& told);
  void post_stale(TestRun& run, Dir& dir, const Acknowledged& told);
  void decide(TestRun& run, Dir& dir);
  void die_or_return();

  World& x_world;
  Dice& x_dice;
  uint64_t x_births = 0;  ///< of processes: each has a start time of its own
};

template <typename Action>
std::string refusal_of(TestRun& run, Action action) {
  const auto before = run.types();
  try {
    action();
  } catch (const Error& error) {
    if (error.exit() != Exit::kConflict && error.exit() != Exit::kWaitsForInput) throw;
    CHECK(run.types() == before);
    return error.code();
  }
  return {};
}

}  // namespace reprise::test
