// What an evaluator answers, read with patience: models wrap their JSON in fences and prose.
//
//   {"evaluations":[{"taskId":"task-1","decision":"noop","reason":"nothing new"}]}
//
// or the array alone; as a value, as text, or as the text of {"text"|"output"|"stdout"|"result"}.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "processes/kit/json.h"

namespace reprise::subconscious {

enum class Verdict : uint8_t { kNoop, kAct, kEscalate };
std::string_view verdict_name(Verdict verdict);

struct Decision {
  std::string task_id;
  Verdict verdict = Verdict::kNoop;
  std::string reason;
};

struct Rejected {
  std::string task_id;  ///< as it was written, or empty
  std::string why;      ///< "unknown task", "named before", "no decision: maybe"
};

struct Evaluation {
  std::vector<Decision> decisions;   ///< in the order of the due tasks
  std::vector<std::string> missing;  ///< due tasks that the answer leaves out
  std::vector<Rejected> rejected;
};

/// nullopt when the answer cannot be read: there is no list, or one that holds something and no
/// decision about any task. Then nothing was evaluated.
std::optional<Evaluation> read_evaluation(const kit::Json& answer,
                                          const std::vector<std::string>& due);

}  // namespace reprise::subconscious
