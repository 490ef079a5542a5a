// Effects as pieces of work, and what came of them as posts.
#pragma once

#include <optional>
#include <string>

#include "engine/executors/executor.h"
#include "engine/post.h"
#include "engine/run_state.h"
#include "engine/task_files.h"
#include "journal/error.h"

namespace reprise {

/// The work of an effect that could be taken, in a home (its path, where its agents are); without
/// what its claim decides.
Work work_of(const std::string& home, const RunState& state, const OpenEffect& effect,
             const EffectRequest& request);
/// Adds what the claim decided: attempt, token, the time that is left at `now_ms`.
void add_claim(Work& work, const OpenEffect& claimed, int64_t now_ms);

/// Is the time over that the task gives an attempt?
bool has_expired(const OpenEffect& claimed, int64_t now_ms);

/// The result as it is posted. An outcome that is no valid JSON is an error InvalidResult.
Post post_of(const OpenEffect& effect, const std::string& token, const Outcome& outcome);
/// SCHEMA_INVALID when no result of the effect, which has that definition, could be judged.
std::optional<Error> bad_schema(const OpenEffect& effect, const std::string& definition);
/// In place of a result that is not what the outputSchema asks for (OUTPUT_INVALID,
/// SCHEMA_INVALID): an error OutputInvalid or SchemaInvalid with data {"pointer","reason"?}.
/// Another attempt may do better, but not by a schema that is none: that error is final.
Post post_of_violation(Post post, const Error& violation);

/// The work ended because it was told to.
bool was_stopped(const Outcome& outcome);

}  // namespace reprise
