// The life of two runs that send each other signals and have children, drawn from a seed: on files
// in memory, with disks that fail, processes that are killed at any write, power that goes; and now
// and then one of the two is lost, and made again under its id. No result and no signal of one
// life may reach another, none is lost, and none arrives twice.
#pragma once

#include "tests/simulation/simulation.h"

namespace reprise::test {

/// What the program does wrong, so that somebody notices.
enum class Carelessness : uint8_t {
  kNone,
  kForgetsIdentities,  ///< runs are made without
};

/// The journal is that of both runs, as they are at the end.
Life live_among_relatives(const StepSeeds& steps, Carelessness program = Carelessness::kNone);

}  // namespace reprise::test
