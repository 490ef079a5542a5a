// The process of a run: how it is recorded, and how it is brought to life for replay.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/context.h"
#include "engine/machine.h"
#include "engine/run.h"
#include "engine/script_machine.h"

namespace reprise {

/// A pinned module as recorded: process/<path> of the run, verified by its digest whenever it is
/// read.
struct PinnedModule {
  std::string path;
  std::string digest;  ///< XXH3-128
  uint64_t size = 0;
  bool operator==(const PinnedModule&) const = default;
};

/// The `process` member of RUN_CREATED and PROCESS_ASSIGNED.
struct ProcessDescriptor {
  bool script = false;
  std::string name;         ///< built in: its name in the catalogue
  std::string import_path;  ///< script: the entry among the modules
  std::string export_name;
  std::string root;                ///< script: the folder that the modules were copied from
  std::string engine;              ///< "mozjs-102.15.1"
  uint64_t interface_version = 0;  ///< of ctx and the built-in module
  std::string folder;  ///< below process/, of code that was assigned to a run with a history
  std::vector<PinnedModule> modules;
};

/// The same sources and entry, or the same built-in process. Where the sources were copied from and
/// which engine recorded them does not count.
bool same_program(const ProcessDescriptor& one, const ProcessDescriptor& other);

std::string descriptor_json(const ProcessDescriptor& descriptor);
/// Of a recorded `process` member; an empty text gives an empty descriptor.
ProcessDescriptor parse_descriptor(std::string_view process);
/// That of the run's present process.
ProcessDescriptor read_descriptor(Dir& run, const RunState& state, JsonReader& reader);

/// Where a module lies in the run: "process/lib/a.js".
std::string pinned_path(const ProcessDescriptor& descriptor, const std::string& module);

/// The modules' texts from process/. Error PROCESS_DAMAGED, exit 5, names a file that is missing or
/// not what was pinned.
std::vector<PinnedSource> read_pinned(Dir& run, const ProcessDescriptor& descriptor);

/// Error PROCESS_UNKNOWN, exit 3.
const BuiltIn& find_built_in(std::span<const BuiltIn> catalogue, std::string_view name);

/// The inputs that the run was created with, JSON.
std::string load_inputs(Dir& run, const RunState& state);

/// Makes the run's machine, ready for its first replay (a built-in one restored from the snapshot
/// that `open` has), and gives it to `use`, on the script engine's thread when it is a script.
void with_machine(Dir& run, OpenRun& open, const Context& context,
                  const std::function<void(Machine&)>& use);

/// What the script of a run is and knows: as recorded, with the descriptor's program.
ScriptIdentity read_identity(Dir& run, const RunState& state, const ProcessDescriptor& descriptor,
                             JsonReader& reader);

/// "main.js changed since it was pinned ...": sources that differ from what the run replays. For
/// people.
std::vector<std::string> source_notes(Dir& run, const RunState& state, JsonReader& reader);

}  // namespace reprise
