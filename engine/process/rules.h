// Rules: what a process can observe of the engine. They have a number, which a run records when it
// is made, so that a change of them changes no run that exists: one without a number (0) keeps what
// version 0.1.0 showed its process, byte for byte, and a later one keeps what its number says.
// Whoever changes what a process sees, asks for or is told writes `rules >= N`, and adds N here.
//
//   0  as in version 0.1.0
//   1  the rules of docs/decisions/0035-rules.md
//
// A script has one number for its whole history (ScriptIdentity, reprise_script_options); a
// built-in process learns it with each activation (Activation::rules): the number that the run had
// when the activation was recorded. What only closes a hole holds for runs of every rules.
#pragma once

#include <cstdint>

namespace reprise {

/// What new runs get. A run with a higher number is refused: JOURNAL_TOO_NEW.
constexpr uint32_t kNewestRules = 1;

}  // namespace reprise
