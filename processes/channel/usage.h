// Tokens, as results tell them: never estimated, never invented.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "processes/channel/event.h"

namespace reprise::channel {

class Scribe;

struct Usage {
  struct Total {
    int64_t results = 0;  ///< that told their usage
    int64_t prompt_tokens = 0;
    int64_t completion_tokens = 0;
  };
  std::map<std::string, Total> by;  ///< "model", "worker", "branch", "compaction"

  void evolve(const Event& event);
  Json to_json() const;
  void restore(const Json& json);
};

/// Does a result, or the data of an error, tell a usage that can be counted: whole numbers from 0
/// to 10^12?
bool tells_usage(const Json& result);
/// Emits usage.counted when it does. `by` names the noun, `subject` what it is counted for:
/// {"workerId": "w1"}.
void count_usage(Scribe& scribe, const std::string& by, const Json& subject, const Json& result);

}  // namespace reprise::channel
