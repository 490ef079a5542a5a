// An effect as a command line names it: "t12", or the key that its author gave.
#pragma once

#include <cstdint>
#include <string>

#include "engine/run_state.h"
#include "journal/error.h"

namespace reprise {

struct EffectSelector {
  uint64_t id = 0;
  std::string key;  ///< when not empty, id is not looked at
};

bool names(const EffectSelector& selector, const OpenEffect& effect);
/// The open effect that is meant; nullptr when none is. Throws ambiguous_effect.
const OpenEffect* find_open(const RunState& state, const EffectSelector& selector);
/// EFFECT_NOT_FOUND, exit 3.
Error no_such_effect(const EffectSelector& selector);
/// EFFECT_AMBIGUOUS, exit 2: the same key with different tasks makes different effects.
Error ambiguous_effect(const EffectSelector& selector, const OpenEffect& one,
                       const OpenEffect& other);

}  // namespace reprise
