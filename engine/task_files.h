// Effects as executors see them: documents, and tasks/<effectId>/task.json and input.json of the
// run. The files are derived from the journal: written when an effect becomes pending, removed when
// it is no more.
#pragma once

#include <string>

#include "engine/run_state.h"
#include "journal/files.h"

namespace reprise {

/// What was requested, as recorded: JSON texts.
struct EffectRequest {
  std::string inputs;
  std::string definition;  ///< the task as its author built it
};
/// `data` are the members of an EFFECT_REQUESTED.
EffectRequest request_of(const Members& data, Dir& run);
EffectRequest load_request(Dir& run, const Place& place, JsonReader& reader);

/// "S000012", or the author's key.
std::string step_id(uint64_t effect, std::string_view key);
/// "<processId>:<step>:<taskId>"
std::string invocation_key(std::string_view process_id, uint64_t effect, std::string_view key,
                           std::string_view task);

/// Writes the files of one open effect, unless they are there.
void write_task_files(Dir& run, const RunState& state, const OpenEffect& effect,
                      JsonReader& reader);
/// Writes the files of open effects that lack them and removes those of effects that are not open;
/// touches nothing else, and removes a folder only when that leaves it empty. Sleeps have no files.
void refresh_task_files(Dir& run, const RunState& state, JsonReader& reader);

}  // namespace reprise
