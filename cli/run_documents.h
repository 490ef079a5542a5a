// Parts of documents that several commands print: what a run waits for, how it stands, how it
// ended.
#pragma once

#include <string>

#include "cli/reply.h"
#include "engine/inspect.h"
#include "engine/iterate.h"
#include "engine/run_state.h"
#include "engine/workspace.h"

namespace reprise {

/// {"breakpoint":1,"shell":2}
Document pending_by_kind(const RunState& state);

/// Why the run is where it is, in one word that drivers know: "completed", "breakpoint-waiting",
/// "sleep-waiting", "shell-pending", "mixed-pending:agent,shell", "process-error: ...", or what the
/// process halted with.
std::string status_reason(const RunState& state, const std::optional<EndDetails>& end);

/// What identifies an effect: effectId, taskId, stepId, invocationKey, kind, label, key?,
/// childRunId? (kind "run"), attempt, requestedAt.
Document effect_identity(const RunState& state, const OpenEffect& effect);

/// Adds "question" where the effect is a breakpoint that asks one.
void add_question(Document& document, Dir& run, const OpenEffect& effect, JsonReader& reader);
/// What an effect is called before people, of such a document: its question, else its label.
std::string title_of(const Document& effect);

/// {"worker","until"}: who works on an effect. The token is its holder's.
Document claim_document(const Claim& claim);

/// Adds what keeps an effect from being worked on, or who does: claim, held, availableAt (while it
/// lies in the future), deadlineAt.
void add_standing(Document& document, const OpenEffect& effect, int64_t now_ms);
/// The same, and whether the claim is over already, though nobody has recorded that: "over" of the
/// claim, "process" or "lease".
void add_standing(Document& document, const OpenEffect& effect, int64_t now_ms, Host& host);
/// "claimed by ci-7 until 2026-...", of such a claim.
std::string claim_text(const Document& claim);

/// One of nextActions: the identity, what is to be done (taskDef) and with what (inputs).
Document next_action(Dir& run, const RunState& state, const OpenEffect& effect, JsonReader& reader);

/// What run:iterate prints, and task:post --iterate as its "iteration".
Document iteration_document(const RunHandle& run, const Iteration& iteration);

/// "awaits": the names of the signals that the process waits for, when they are known.
void add_awaited(Document& document, const RunState& state);

/// 1 for a run that failed or was halted; with `waits` also 10 or 11 for one that waits: 11 when
/// nobody can do anything before some time.
Exit status_exit(const RunState& state, bool waits, int64_t now_ms);

/// The members that every document about one run begins with.
Document run_document(const RunHandle& run, const RunState& state);

/// Adds "next": the cursor for --after, when the list was cut.
void add_cursor(Document& document, bool more, const std::string& cursor);

}  // namespace reprise
