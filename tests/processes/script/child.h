// Scripts that may end the process run in a child: this test program again, with one hidden test
// case.
#pragma once

#include <cstdint>
#include <string>

namespace reprise::test {

struct ChildResult {
  int exit_code = -1;  ///< 128 + signal when killed
  std::string output;  ///< standard output and standard error
  std::string status;  ///< what the script came to: its lines, or "BUDGET ...", "ERROR ..."
};

struct ChildScript {
  std::string body;  ///< of process_of; or of the module when it begins with "module:"
  int64_t cpu_ms = 10'000;
  uint64_t heap_bytes = uint64_t{512} << 20;
  std::string cache_folder;
  std::string environment;  ///< one more NAME=VALUE
};

/// Loads and starts it with these budgets, then asks check().
ChildResult run_in_child(const ChildScript& script);

}  // namespace reprise::test
