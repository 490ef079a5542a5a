// The built-in processes, named one by one: nothing registers itself.
#pragma once

#include <span>

#include "engine/process/process.h"

namespace reprise {

std::span<const BuiltIn> built_in_processes();

}  // namespace reprise
