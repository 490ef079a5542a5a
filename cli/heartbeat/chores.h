// The one list of what a heartbeat does besides taking runs on.
#pragma once

#include <memory>
#include <vector>

#include "engine/heartbeat/chore.h"

namespace reprise {

/// In the order in which they are done, for this home.
std::vector<std::unique_ptr<Chore>> make_chores(const HomePlace& home);

}  // namespace reprise
