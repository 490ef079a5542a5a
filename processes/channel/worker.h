// Workers: pieces of work beside the conversation. The table of their states is in worker.cc.
//
// A worker has at most one effect, and an effect belongs to one cycle. Before each cycle the engine
// is asked what it remembers (kind "recall", key "brief:w2" or "brief:w2:3"), then an executor gets
// the work (kind "worker", key "worker:w2" or, from the second cycle on, "worker:w2:3"). A worker
// with an entry is a child run (kind "run", key "worker:w2"), one of a branch has the effect of
// that branch (key "branch:b1").
//
// `running` is not a state of its own here: an executor's claim is no activation, so nothing of it
// is folded. A worker whose state is "queued" is running when the effect that its JSON names in
// `effect` is claimed; the record EFFECT_CLAIMED is that transition, and whoever has the run's
// state at hand shows it.
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

struct Worker {
  enum class State : uint8_t { kNew, kQueued, kWaitingInput, kCompleted, kFailed };

  std::string id;  ///< "w1"
  std::string task_id;
  std::string title;
  std::string objective;
  Json tools = Json::array();
  std::string mode;               ///< "fire_and_forget" or "interactive"
  std::string agent;              ///< who should do it; empty: anybody
  std::string working_directory;  ///< absolute; empty: the channel's
  std::string branch_id;          ///< whose work this is; empty: none
  std::string entry;              ///< of the child run that does it; empty: an executor
  int64_t token_budget = 0;

  State state = State::kNew;
  uint64_t cycle = 1;
  std::vector<std::string> inbox;    ///< what the cycle at hand is told
  std::vector<std::string> arrived;  ///< what was routed since: for the next cycle
  std::string report;                ///< what it last waited with
  std::string session_id;            ///< of its executor
  std::string summary;               ///< completed
  std::string artifact_id;           ///< completed
  std::string error, reason, code;   ///< failed
  int64_t spawned_at_ms = 0;
  int64_t updated_at_ms = 0;  ///< of its last transition

  bool has_ended() const { return state == State::kCompleted || state == State::kFailed; }
  bool is_interactive() const { return mode == "interactive"; }
};

struct Workers {
  uint64_t spawned = 0;  ///< how many there have been: the next is w<spawned + 1>
  /// By number: those that live, and the last that ended, of these only the beginnings of texts.
  std::map<uint64_t, Worker> known;
  std::deque<uint64_t> ended;  ///< in the order of their ends

  const Worker* find(const std::string& id) const;
  /// There has been one of that id, though it may be forgotten.
  bool ever_had(const std::string& id) const;

  void evolve(const Event& event, bool keeps_all);
  Json to_json() const;
  void restore(const Json& json);
};

/// The open effect that this worker waits for, 0 when there is none.
uint64_t effect_of(const Channel& channel, const Worker& worker);

/// [{workerId, taskId, title, objective, tools, mode, state, cycle, spawnedAt, updatedAt,
///   agent?, workingDirectory?, branchId?, entry?, report?, sessionId?, summary?, artifactId?,
///   error?, reason?, code?, effect? "t5": the open one}], in the order in which they were spawned.
Json list_workers(const Channel& channel);
/// The same of one; null when it is not known.
Json show_worker(const Channel& channel, const std::string& id);

/// What is wrong with a spec as the signal worker.spawn or an agent gives it.
std::optional<Refusal> check_worker_spec(const Json& spec);
/// Returns the worker's id. `spec` was checked.
std::string spawn_worker(Scribe& scribe, const Json& spec);
/// A result of noun "worker" or "brief".
void resolve_worker(Scribe& scribe, const Result& result);
/// Cancels all that live, branches too.
void cancel_workers(Scribe& scribe, const std::string& reason);
/// worker.spawn, worker.route, worker.cancel.
std::span<const SignalSpec> worker_signals();

}  // namespace reprise::channel
