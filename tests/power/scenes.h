// The commands that the power fails in.
#pragma once

#include <vector>

#include "tests/power/power_bench.h"

namespace reprise::test {

std::vector<Scene> power_scenes();
/// A result with a blob and a log: the command that makes most durable at once.
Scene large_post();

}  // namespace reprise::test
