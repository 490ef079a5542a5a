// task:list without RUN.
#pragma once

#include <cstdint>

#include "cli/arguments.h"
#include "cli/reply.h"

namespace reprise {

/// How many effects task:list shows without --limit.
constexpr uint64_t kTaskListLimit = 100;

/// What is pending, over all runs of the home.
Reply task_list_of_all(const Arguments& arguments);

}  // namespace reprise
