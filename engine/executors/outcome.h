// Outcomes as results and errors that can be posted: JSON texts.
#pragma once

#include <string>
#include <string_view>

#include "engine/executors/executor.h"
#include "engine/program.h"

namespace reprise {

/// The bytes as text that JSON can hold: what is no UTF-8 becomes U+FFFD.
std::string valid_text(std::string_view bytes);

/// Is that what models and agents say when a prompt does not fit?
bool tells_too_long(std::string_view message);

/// {"name","message","data"?,"retryable":false?}. `data` is JSON or empty; a final error is not
/// tried again, whatever the task's retry policy says.
Outcome error_outcome(std::string_view name, std::string_view message, std::string_view data = {},
                      bool is_final = false);

/// How a program is spoken of, and when it did well.
struct ProgramTerms {
  std::string name;  ///< "make"
  int expected_exit_code = 0;
  int64_t timeout_ms = 0;
  int64_t idle_timeout_ms = 0;
};

/// The result {"exitCode","stdout","stderr","success":true}, or an error with the same members but
/// the last as data: "CommandFailed", "TimeoutError", "Stopped". The texts are the streams' tails;
/// "stdoutTruncated" and "stderrTruncated" are there, and true, when those are not all.
Outcome program_outcome(const ProgramEnd& end, const ProgramTerms& terms);

}  // namespace reprise
