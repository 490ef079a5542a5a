// A task as text for an agent or a model, and the JSON in what it answers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/executors/executor.h"

namespace reprise {

/// The task's prompt: a text as it is, {role, task, context, instructions, outputFormat} as
/// paragraphs in that order, then any other members. A task without one is told by its title, its
/// description and its inputs. With an output schema the answer is asked for as JSON.
std::string prompt_text(const Work& work);

/// The schema that the result must fit ("outputSchema" of the task, else of its agent; in place, or
/// by the name of one of the program's own): JSON, or empty.
std::string output_schema(std::string_view definition);

/// The JSON value in an answer: the whole text, else its last fenced block that is JSON, else, with
/// `anywhere`, from the first brace or bracket to the last. nullopt: there is none.
std::optional<std::string> json_in_text(std::string_view text, bool anywhere);

/// An answer as a result: with a schema its JSON (or the error "OutputInvalid"), without one its
/// JSON when it is nothing else, or the text.
Outcome answer_outcome(std::string_view answer, std::string_view definition);

}  // namespace reprise
