// Branches: a question that is thought through apart, with memories, and ends with one conclusion.
//
//   recalling  recall answered -> thinking      thinking  result -> concluded | failed
//   any but the last two  branch.timeout -> timed out
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "processes/channel/effects.h"
#include "processes/channel/event.h"
#include "processes/channel/signals.h"

namespace reprise::channel {

class Scribe;

struct Branch {
  std::string id;
  std::string prompt;
  std::string worker_id;
  std::string state;
};

struct Branches {
  uint64_t spawned = 0;
  std::map<std::string, Branch> known;

  void evolve(const Event& event, bool keeps_all);
  Json to_json() const;
  void restore(const Json& json);
};

/// Returns the branch's id. `spec` as the signal branch.spawn, checked.
std::string spawn_branch(Scribe& scribe, const Json& spec);
/// A result of noun "branch" or "recall".
void resolve_branch(Scribe& scribe, const Result& result);
/// branch.spawn, branch.timeout.
std::span<const SignalSpec> branch_signals();

}  // namespace reprise::channel
