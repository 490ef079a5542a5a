// Branches: a question that is thought through apart, with memories, and ends with one conclusion.
// The table of their states is in branch.cc.
//
// A branch begins with its worker (worker.spawned with a branchId), recalls (kind "recall", key
// "recall:b1"), and is thought through by an executor (kind "branch", key "branch:b1"). What it
// concludes is judged (conclusion.h) before anything of it is kept. The memory that it saves is
// called "b1.conclusion" in its events: a channel may be forked, and has another id then. Whoever
// reads events of more than one run puts "<run>/" before an id that has none.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "processes/channel/effects.h"
#include "processes/channel/event.h"
#include "processes/channel/signals.h"

namespace reprise::channel {

class Scribe;

struct Branch {
  enum class State : uint8_t { kNew, kRecalling, kThinking, kConcluded, kFailed, kTimedOut };

  std::string id;  ///< "b1"
  std::string prompt;
  std::string worker_id;
  State state = State::kNew;
  std::vector<std::string> memory_refs;  ///< recalled; concluded: and those of the conclusion
  std::vector<std::string> todos;        ///< that its prompt names
  std::string summary;                   ///< concluded
  std::string artifact_id;               ///< concluded
  Json token_usage;                      ///< concluded, when it was told
  std::string error, reason, code;       ///< failed, timed out
  int64_t spawned_at_ms = 0;
  int64_t updated_at_ms = 0;  ///< of its last transition

  bool has_ended() const { return state != State::kRecalling && state != State::kThinking; }
};

struct Branches {
  uint64_t spawned = 0;  ///< how many there have been: the next is b<spawned + 1>
  /// By number: those that live, and the last that ended, of these only the beginnings of texts.
  std::map<uint64_t, Branch> known;
  std::deque<uint64_t> ended;  ///< in the order of their ends

  const Branch* find(const std::string& id) const;
  /// There has been one of that id, though it may be forgotten.
  bool ever_had(const std::string& id) const;

  void evolve(const Event& event, bool keeps_all);
  Json to_json() const;
  void restore(const Json& json);
};

/// [{branchId, prompt, state "recalling" | "thinking" | "concluded" | "failed" | "timed_out",
///   workerId, memoryRefs, todos, spawnedAt, updatedAt, summary?, artifactId?, tokenUsage?, error?,
///   reason?, code?, effect? "t5": the open one}], in the order in which they were spawned.
Json list_branches(const Channel& channel);
/// The same of one; null when it is not known.
Json show_branch(const Channel& channel, const std::string& id);

/// What is wrong with a spec as the signal branch.spawn or an agent gives it.
std::optional<Refusal> check_branch_spec(const Json& spec);
/// Returns the branch's id. `spec` was checked.
std::string spawn_branch(Scribe& scribe, const Json& spec);
/// A result of noun "branch" or "recall".
void resolve_branch(Scribe& scribe, const Result& result);
/// The visor's verdict on a branch that lives: nothing is saved.
void time_out_branch(Scribe& scribe, const std::string& branch_id);
/// branch.spawn, branch.timeout.
std::span<const SignalSpec> branch_signals();

}  // namespace reprise::channel
