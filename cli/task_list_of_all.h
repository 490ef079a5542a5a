// task:list without RUN.
#pragma once

#include "cli/arguments.h"
#include "cli/reply.h"

namespace reprise {

/// What is pending, over all runs of the home.
Reply task_list_of_all(const Arguments& arguments);

}  // namespace reprise
