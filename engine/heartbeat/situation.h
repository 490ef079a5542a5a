// What a home looks like to those who evaluate its tasks: sections of text, from the index.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/heartbeat/chore.h"

namespace reprise {

/// {"environment","memory","runs","approvals"}: what changed after `since_ms` (0: ever), each
/// bounded. A section that cannot be told says why instead.
nlohmann::json situation(BeatHome& home, int64_t since_ms, const std::vector<std::string>& notices);

}  // namespace reprise
