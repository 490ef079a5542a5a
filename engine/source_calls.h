// What the calls in a source say: the options that ctx.task and ctx.breakpoint are given, the
// definitions that stand in a defineTask, and calls whose promise nobody takes, or is read as if it
// were the result. Only what is written out is found: objects between braces, calls that are a
// statement of their own or the whole value of a variable.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/shape_faults.h"
#include "engine/source_tokens.h"

namespace reprise {

/// In the order of the text. `ctx`: what the process calls its second parameter; "ctx" itself is
/// taken for it as well.
std::vector<ShapeFault> find_call_faults(std::string_view source,
                                         const std::vector<SourceToken>& tokens,
                                         std::string_view ctx);

}  // namespace reprise
