// The one exception of the program: the command cannot go on. It is thrown where the reason is
// known and caught in cli/main.cc, which prints it as text or as a document and exits with its
// code. A condition that a caller branches on is a return value, never an Error.
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <utility>

namespace reprise {

/// The documented exit codes (docs/cli.md). A command's exit code answers its own job.
enum class Exit : int {
  kOk = 0,
  kNo = 1,        ///< the run failed or was halted; a check says no
  kUsage = 2,     ///< wrong usage or invalid input
  kNotFound = 3,  ///< no such home, run or effect
  kConflict = 4,  ///< conflicts with what is recorded
  kCorrupt = 5,   ///< the journal is corrupt, or records are missing
  kDiverged = 6,  ///< the process asked for something else than what is recorded
  kLocked = 7,    ///< the lock was not free in time
  kSystem = 8,    ///< disk or system failure: not acknowledged, safe to repeat
  kBudget = 9,    ///< the script exceeded its budget; nothing was recorded
  kWaitsForInput = 10,
  kWaitsForTime = 11,
  kForbidden = 13,
  kBug = 70,
};

class Error : public std::exception {
 public:
  /// `code` is the stable word for programs (EFFECT_CONFLICT), `message` says what was wrong and
  /// where, `hint` what to do next, `details` is a minified JSON object or empty.
  Error(Exit exit, std::string code, std::string message, std::string hint = {},
        std::string details = {})
      : x_exit(exit),
        x_code(std::move(code)),
        x_message(std::move(message)),
        x_hint(std::move(hint)),
        x_details(std::move(details)) {}

  const char* what() const noexcept override { return x_message.c_str(); }
  Exit exit() const { return x_exit; }
  const std::string& code() const { return x_code; }
  const std::string& message() const { return x_message; }
  const std::string& hint() const { return x_hint; }
  const std::string& details() const { return x_details; }

 private:
  Exit x_exit;
  std::string x_code;
  std::string x_message;
  std::string x_hint;
  std::string x_details;
};

/// A failed system call: exit 8, code SYSTEM_ERROR; the message names the operation, the path and
/// errno's text.
Error system_error(std::string_view operation, std::string_view path, int errno_value);

}  // namespace reprise
