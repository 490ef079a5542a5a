// What the calls in a source say: the options that ctx.task and ctx.breakpoint are given, and the
// definitions that stand in a defineTask. Only what is written out between braces is found.
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
