// What is wrong with a process file, as far as loading it and running it to its first effects
// tells. Nothing is recorded and nothing is performed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/pin.h"
#include "engine/script_host.h"

namespace reprise {

/// Each is told once; `code` is the stable word for programs, listed in docs/processes.md.
struct CheckProblem {
  std::string file;  ///< absolute
  uint32_t line = 1;
  uint32_t column = 1;
  std::string code;
  std::string message;
};

struct CheckedFile {
  enum class Status : uint8_t {
    kOk,
    kProblem,
    kError,    ///< it could not be judged: unreadable, out of its budget; one problem says why
    kSkipped,  ///< it exports no process and nobody named it
  };
  Status status = Status::kOk;
  std::string inputs;  ///< what it was run with, JSON; empty when it was not run
  std::vector<CheckProblem> problems;
};

struct FileToCheck {
  std::string path;    ///< absolute
  bool named = false;  ///< by the user: then it must be a process
};

/// CPU time for loading a file, and again for its first activation. Less than a run has: who needs
/// more before the first effect has a process that is slow at every replay.
constexpr int64_t kCheckBudgetMs = 2'000;

/// Judges one file after the other. To be made and used inside ScriptHost::run.
class ProcessChecker {
 public:
  /// `inputs`: JSON for every file; without them each gets what its @inputs comment or its
  /// inputSchema describes, else {}.
  ProcessChecker(const ScriptHost& host, SourceReader read, std::optional<std::string> inputs);

  /// Errors SCRIPT_BUDGET (exit 9) when the file exceeded it, SCRIPT_ENGINE_FAILED (exit 70): the
  /// engine is then good for nothing more, and this process must end.
  CheckedFile check(const FileToCheck& file) const;

 private:
  const ScriptHost& x_host;
  SourceReader x_read;
  std::optional<std::string> x_inputs;
  std::vector<std::string> x_members;  ///< of ctx
};

}  // namespace reprise
