// Performs work by asking a model behind an OpenAI-compatible chat endpoint (docs/endpoints.md).
#pragma once

#include "engine/executors/executor.h"

namespace reprise {

struct ChatOutside;

/// Result: {"text","model","finishReason","usage"?,"toolCalls"?,"reasoning"?,"refusal"?}; with an
/// outputSchema the JSON value that the model answered, which matches it. Tool calls are returned,
/// not carried out. The text goes to the effect's stdout.log and to events.output as it comes,
/// {"state":"answering","bytes","completionTokens"?} to events.progress.
/// Metadata: {"executor","model","requests","finishReason"?,"responseId"?,"usage"?,"repaired"?}.
/// The policy limits programs and folders: nothing of it concerns a request.
/// Errors: docs/endpoints.md lists the names. Error is thrown when the module cannot be loaded or
/// the log not written.
Outcome perform_openai(const Work& work, const ExecutorConfig& executor, const Policy& policy,
                       const WorkEvents& events);

/// The same in a world that a test chooses (chat_asker.h).
Outcome perform_openai(const Work& work, const ExecutorConfig& executor, const WorkEvents& events,
                       const ChatOutside& outside);

}  // namespace reprise
