// Asking a built-in process about itself.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/context.h"
#include "journal/files.h"

namespace reprise {

/// How much of its past a process is to answer for.
enum class Past : uint8_t {
  kPresent,  ///< what its state holds
  kWhole,    ///< everything: it is folded from the first record
};

/// What a built-in process answers, without a lock, and changing nothing: what is recorded and not
/// yet given to it does not count. JSON; "null" of a script, of a bare run, and for a question that
/// it does not know.
std::string ask(Dir& run, const Context& context, std::string_view question,
                Past past = Past::kPresent);

}  // namespace reprise
