// A built-in process for tests of effects: it asks for what its inputs list, all at once, and ends
// with what came back.
#pragma once

#include "engine/process/process.h"

namespace reprise::test {

/// A signal "withdraw" {"effect": N} has it give up the effect N. Its inputs:
/// {"asks":[{"kind"?,"key"?,"label"?,"options"?,"definition"?,"dueMs"?}, ...]}, where kind is
/// "agent" and the label "t" unless they are given, and dueMs counts from the start. Its output:
/// the values, {"error": name}, {"cancelled": true} or {"withdrawn": true}, in the order of the
/// requests.
BuiltIn asker();

}  // namespace reprise::test
