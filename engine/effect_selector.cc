#include "engine/effect_selector.h"

#include "journal/ids.h"

namespace reprise {

namespace {

std::string words(const EffectSelector& selector) {
  return selector.key.empty() ? format_effect_id(selector.id) : "with key \"" + selector.key + "\"";
}

}  // namespace

bool names(const EffectSelector& selector, const OpenEffect& effect) {
  return selector.key.empty() ? effect.id == selector.id : effect.key == selector.key;
}

Error no_such_effect(const EffectSelector& selector) {
  return Error(Exit::kNotFound, "EFFECT_NOT_FOUND", "the run has no effect " + words(selector),
               "reprise task:list RUN shows its effects");
}

Error ambiguous_effect(const EffectSelector& selector, const OpenEffect& one,
                       const OpenEffect& other) {
  return Error(Exit::kUsage, "EFFECT_AMBIGUOUS",
               "several effects have the key \"" + selector.key +
                   "\": " + format_effect_id(one.id) + " (" + one.task + ") and " +
                   format_effect_id(other.id) + " (" + other.task + ")",
               "name the effect by its id");
}

const OpenEffect* find_open(const RunState& state, const EffectSelector& selector) {
  if (selector.key.empty()) {
    const auto effect = state.open.find(selector.id);
    return effect == state.open.end() ? nullptr : &effect->second;
  }
  const OpenEffect* found = nullptr;
  for (const auto& [id, effect] : state.open) {
    if (!names(selector, effect)) continue;
    if (found != nullptr) throw ambiguous_effect(selector, *found, effect);
    found = &effect;
  }
  return found;
}

}  // namespace reprise
