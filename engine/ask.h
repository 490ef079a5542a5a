// Asking a built-in process about itself.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
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

/// A built-in process as a reader sees it, without a lock: what is recorded and not yet given to it
/// does not count. It is there to be asked, and writes nothing.
class AskedRun {
 public:
  virtual ~AskedRun() = default;
  virtual const Machine& machine() const = 0;
  virtual const RunState& state() const = 0;
  /// The journal ended with a whole commit when it was read: as long as its file looks the same,
  /// this is what a reader sees.
  virtual bool is_whole() const = 0;
};

/// `run` outlives what is returned. nullptr for a script and for a bare run.
std::unique_ptr<AskedRun> read_asked(Dir& run, const Context& context, Past past);

/// Gives `use` what read_asked gives; false, and `use` is not called, where that is nothing.
bool with_asked(Dir& run, const Context& context, Past past,
                const std::function<void(const Machine&, const RunState&)>& use);

/// What a built-in process answers, as with_asked gives it. JSON; "null" of a script, of a bare
/// run, and for a question that it does not know.
std::string ask(Dir& run, const Context& context, std::string_view question,
                Past past = Past::kPresent);

}  // namespace reprise
