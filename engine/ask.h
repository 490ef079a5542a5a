// Asking a built-in process about itself.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "engine/context.h"
#include "engine/machine.h"
#include "engine/run_state.h"
#include "journal/files.h"

namespace reprise {

/// How much of its past a process is to answer for.
enum class Past : uint8_t {
  kPresent,  ///< what its state holds
  kWhole,    ///< everything: it is folded from the first record
};

/// Gives `use` a built-in process as a reader sees it, without a lock: what is recorded and not yet
/// given to it does not count. It is there to be asked, and writes nothing. False, and `use` is not
/// called, for a script and for a bare run.
bool with_asked(Dir& run, const Context& context, Past past,
                const std::function<void(const Machine&, const RunState&)>& use);

/// What a built-in process answers, as with_asked gives it. JSON; "null" of a script, of a bare
/// run, and for a question that it does not know.
std::string ask(Dir& run, const Context& context, std::string_view question,
                Past past = Past::kPresent);

}  // namespace reprise
