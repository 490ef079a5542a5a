// A built-in process that has to do with others. Its inputs are {"life","peer"}, for a child also
// {"number"}; every signal that it sends and every child that it asks for carries its life and a
// number of its own.
#pragma once

#include "engine/process/process.h"

namespace reprise::test {

/// A top-level one asks, at its start and with each result, for up to three things: a signal for
/// its peer {"life","number"}, a child, an agent; twelve in all, and never ends. A child asks for
/// an agent and completes with its inputs.
BuiltIn relative();

}  // namespace reprise::test
