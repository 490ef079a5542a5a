// Whether a model finished what it said: endpoints tell it with their results (docs/endpoints.md).
#pragma once

#include <string>

#include "processes/kit/json.h"

namespace reprise::kit {

/// Why its text ends before it was whole; empty: nothing says that it does.
std::string cut_reason(const Json& result);

/// A text of the result for people, who would take what was cut for whole: behind a line that says
/// so. In front, for what is shortened later keeps it.
std::string with_cut_reason(const Json& result, const std::string& text);

}  // namespace reprise::kit
