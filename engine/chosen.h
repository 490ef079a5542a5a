// A process that a command line names, found fit to run: pinned, loaded once, its inputs accepted.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/context.h"
#include "engine/pin.h"
#include "engine/process_loader.h"

namespace reprise {

/// Which process: a script (entry), a built-in one (built_in), or none (a bare run).
struct ProcessChoice {
  std::string entry;        ///< absolute path of the file
  std::string export_name;  ///< empty: "process"
  std::string built_in;
  std::string
      process_id;  ///< empty: the entry's file name without extension, or the built-in's name
};

struct ChosenProcess {
  std::string process_id;
  ProcessDescriptor descriptor;
  std::vector<PinnedSource> sources;
  uint32_t rules = 0;  ///< by which it was loaded

  bool bare() const { return descriptor.name.empty() && !descriptor.script; }
  /// "main.js#process", the built-in's name, or empty for a bare run.
  std::string entry() const {
    return descriptor.script ? descriptor.import_path + "#" + descriptor.export_name
                             : descriptor.name;
  }
};

/// Errors INPUTS_REFUSED (exit 2), PROCESS_UNKNOWN (exit 3), those of pinning and loading.
ChosenProcess choose_process(const Context& context, const SourceReader& read,
                             const ProcessChoice& choice, const ScriptIdentity& identity,
                             std::string_view inputs, int64_t now_ms);

/// Writes the sources below process/ of the run. Durable when it returns, with the folders made.
void write_sources(Dir& run, const ChosenProcess& chosen);

}  // namespace reprise
