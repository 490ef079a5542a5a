// The inside of a worker: performs one piece of work and tells about it in lines of JSON.
#pragma once

#include <string_view>

#include "engine/executors/executor.h"

namespace reprise {

/// `order` as write_work_order makes it. Events go to the descriptor `out`, the outcome last; who
/// reads slowly misses some of the output, and holds nothing up. When `lifeline` (a pipe; -1: none)
/// is at its end, the work is stopped, with all that it started. Error INVALID_WORK.
Outcome perform_as_worker(std::string_view order, int lifeline, int out);

}  // namespace reprise
