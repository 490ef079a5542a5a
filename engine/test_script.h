// The file that process:test works through: what the outside world answers. Its format is
// schemas/answers.schema.json.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/run_state.h"
#include "journal/value.h"

namespace reprise {

/// The result of effects that have all of the given names; what is empty does not matter.
struct ScriptedAnswer {
  std::string task;
  std::string label;
  std::string key;
  std::string kind;
  uint64_t times = 1;  ///< how often it may be given
  bool ok = true;
  Value value;  ///< when not ok the error, as parse_error_value makes it

  bool fits(const OpenEffect& effect) const;
};

struct ScriptedSignal {
  std::string name;
  Value value;
};

struct Expectation {
  std::string status = "completed";
  std::optional<Value> output;
};

struct TestScript {
  std::optional<Value> inputs;
  int64_t now_ms = 0;  ///< when the run begins
  std::vector<ScriptedAnswer> answers;
  std::vector<ScriptedSignal> signals;
  std::optional<Expectation> expect;
};

/// Errors: those of parse_value; INVALID_ANSWERS (exit 2) with the JSON pointer of what is wrong.
TestScript parse_test_script(std::string_view text, const std::string& what);

}  // namespace reprise
