// What a home is told by config.json: executors, which of them performs what, and within which
// limits. Merged from the defaults, the user's file, the home's file, the environment and flags;
// the later wins (docs/configuration.md).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace reprise {

/// One entry of "executors". What else stands in it is its type's own business.
struct ExecutorConfig {
  std::string name;
  std::string type;    ///< "shell", "command", "openai" or "mock"
  std::string json;    ///< the whole object, minified
  std::string origin;  ///< where it was said: a file, or "default"
};

/// The first rule that fits an effect names its executor. Empty members fit everything, the others
/// whole words; * stands for any characters.
struct MatchRule {
  std::string kind;
  std::string task;
  std::string label;
  std::string agent;  ///< the name of the agent that the task asks for
  std::string executor;
};

/// What the work of a home may do (docs/policy.md).
struct Policy {
  std::vector<std::string> roots;  ///< folders that work may run in; empty: any
  std::vector<std::string> denied_programs;
  std::vector<std::string> environment;  ///< names of variables that reach the work; X_* is allowed
  std::string permission;                ///< of effects that say none: "none", "read" or "full"
  bool network = true;                   ///< of sandboxed effects
  std::map<std::string, int64_t> timeout_ms;  ///< of one attempt, by kind, where the task says none
};

struct Config {
  std::vector<ExecutorConfig> executors;
  std::vector<MatchRule> match;
  Policy policy;
  uint32_t jobs = 4;            ///< what one run:drive performs side by side
  uint64_t min_free_bytes = 0;  ///< no work starts with less free space
  int64_t lease_ms = 0;         ///< of run:drive's claims
};

}  // namespace reprise
