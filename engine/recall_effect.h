// The effects of the kind "recall": what a process wants to know of the home's memories. The engine
// performs them within the iteration, and records the answer as any other result.
#pragma once

#include <vector>

#include "engine/commit.h"
#include "engine/memory_source.h"

namespace reprise {

/// The results of all that are open, one EFFECT_RESOLVED each, with the ids of the memories in it
/// as `recalled`: the index counts them as used. An error named RecallFailed where
/// the memories cannot be asked. Without a source there are none, and the answers say so.
std::vector<NewRecord> answer_recalls(const Commit& commit, Dir& run, MemorySource* memory);

/// Is it an event that a recall answers from: of a memory, or a bulletin?
bool is_remembered(std::string_view event_type);

}  // namespace reprise
