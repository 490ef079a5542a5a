// What an executor is given and what it answers. run:drive hands each piece of work to a worker, a
// process of its own (worker.h), and so does executor:test.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "engine/home/config.h"

namespace reprise {

/// One attempt at one effect.
struct Work {
  std::string home;     ///< absolute; empty when the run lies in none
  std::string run;      ///< run id
  std::string run_dir;  ///< absolute
  std::string effect;   ///< "t3"
  uint32_t attempt = 1;
  std::string token;            ///< of the claim
  std::string idempotency_key;  ///< "<run id>/t3": the same for all attempts
  std::string kind;
  std::string task;
  std::string label;
  std::string agent;       ///< the name of the agent that the task asks for; mostly empty
  std::string definition;  ///< JSON: the task as its author built it
  std::string inputs;      ///< JSON: what it was called with
  int64_t timeout_ms = 0;  ///< that is left of this attempt; 0: no limit
};

/// What came of it. A program's output lies in files of the task's folder, synced.
struct Outcome {
  bool ok = false;
  std::string value;       ///< JSON: the result, or the error {"name","message","data"?}
  std::string stdout_ref;  ///< relative to the run; empty: none
  std::string stderr_ref;
  std::string metadata;  ///< a JSON object (session, usage, cost, ...), or empty
  std::string answer;    ///< the text that `value` was read from, if it was one; it is not posted
  int64_t started_at_ms = 0;
  int64_t finished_at_ms = 0;
};

/// How work tells what it does, and is told to stop.
struct WorkEvents {
  /// A report for task:progress, any JSON.
  std::function<void(std::string_view json)> progress;
  /// What a program or a model writes, as it comes, for those who watch.
  std::function<void(bool is_error, std::string_view bytes)> output;
  /// Asked at least once a second; true: end what you began, and answer an error "Stopped".
  std::function<bool()> stopped;
  /// Can be read, or is at its end, as soon as stopped() is true: for those who wait in poll.
  /// -1: only stopped() tells.
  int stop_descriptor = -1;
};

/// Performs the work by that executor, within the policy. What fails is an Outcome, never an
/// exception, as far as it is the work's own fault; Error only for what nobody can post.
Outcome perform(const Work& work, const ExecutorConfig& executor, const Policy& policy,
                const WorkEvents& events);

/// Its perform() does no I/O and takes no time: no worker is needed.
bool in_process(const ExecutorConfig& executor);

}  // namespace reprise
