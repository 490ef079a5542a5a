// A built-in process for tests of heartbeats: something that is done again and again.
#pragma once

#include "engine/process/process.h"

namespace reprise::test {

/// Inputs {"everyMs","times","failAt"?,"child"?,"tell"?}. It sleeps, and each time it wakes it
/// emits "woke"; at the time that failAt names it fails instead. With "child" it asks for a run of
/// itself with these inputs, with "tell" for a signal "note" to that run; what comes of these it
/// only counts. Its output: {"woke","ok","failed"}.
BuiltIn habit();

}  // namespace reprise::test
