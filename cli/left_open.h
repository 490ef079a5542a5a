// What a run left open when it ended.
#pragma once

#include <string>

#include "cli/document.h"

namespace reprise {

/// "t1 t2, open at the end", of the "abandoned" of a document.
std::string effects_left_open(const Document& abandoned);

}  // namespace reprise
