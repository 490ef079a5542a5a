// What a person would type next, where several commands say it.
#pragma once

#include <string>

#include "cli/reply.h"
#include "engine/run_state.h"
#include "journal/files.h"

namespace reprise {

/// Shows a question, or what is held, and answers it. `effect`: "r t1", safe to show; `by`: more
/// words for the answer.
std::string approval_step(const std::string& effect, const std::string& by = {});

/// Adds "failedBy" to the document of a run that failed at the error result of an effect:
/// {"effectId","kind","label","childRunId"?}. The whole journal is read for it.
void add_failed_by(Document& document, Dir& run, const RunState& state);
/// What takes a failed run up again, of such a document.
std::string failed_step(const Document& document, const std::string& run);

}  // namespace reprise
