// Creating runs.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/chosen.h"
#include "engine/context.h"
#include "engine/pin.h"
#include "engine/process_loader.h"
#include "journal/value.h"

namespace reprise {

/// The run whose child a new one is; no id: none.
struct ParentEffect {
  std::string run_id;
  uint64_t effect = 0;   ///< that waits for the end of the new run
  std::string identity;  ///< of that run; empty: it has none
};

struct CreateRequest {
  std::string run_id;  ///< empty: a ULID
  ProcessChoice process;
  Value inputs;
  std::map<std::string, std::string> labels;
  std::string request;  ///< what the run is for, in words; recorded
  ParentEffect parent;
  bool if_absent = false;
  bool simulated = false;
  uint32_t rules = kNewestRules;  ///< 0: as version 0.1.0 made them, for tests
  bool dry_run = false;           ///< check everything, build nothing
};

struct CreatedRun {
  std::string run_id;
  std::string run_dir;
  std::string process_id;  ///< empty for a bare run
  std::string entry;       ///< "main.js#process" or the built-in's name; empty for a bare run
  bool created =
      true;  ///< false: it existed, with the same process and inputs (if_absent), or a dry run
};

/// Builds the run aside and renames it into place: it exists whole or not at all. Errors RUN_EXISTS
/// (exit 4), INVALID_RUN_ID, INPUTS_REFUSED (exit 2), those of pinning and loading; nothing is left
/// behind.
/// `runs` is the folder of runs, `runs_path` where it is (recorded as part of the run's identity).
/// `runs` may be null for a dry run in a home that does not exist yet.
CreatedRun create_run(Dir* runs, const std::string& runs_path, const Context& context,
                      const SourceReader& read, const CreateRequest& request);

/// The text of run.json: derived from the journal, for people and tools.
std::string run_json(Dir& run, const RunState& state, JsonReader& reader);

}  // namespace reprise
