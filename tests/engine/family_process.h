// A built-in process for tests of runs that have to do with other runs and with people.
#pragma once

#include "engine/process/process.h"

namespace reprise::test {

/// Inputs {"ask":[{"kind","args"?,"definition"?,"options"?,"label"?}...],"cleanUp"?:true}. It asks
/// for everything at once and completes with the list of what came back: a value, or an error's
/// name and data. When it is cancelled it halts; with cleanUp it first asks for one agent effect.
BuiltIn family_process();

}  // namespace reprise::test
