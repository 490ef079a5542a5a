// Keeps the context small: the messages between the first and the newest are replaced by a summary.
//
//   a response, utilization above soft | aggressive | emergency,
//     the highest level passed is not in flight    compactor.threshold.hit    -> in flight
//   a prompt that was too long ("too_long")        compactor.threshold.hit    -> in flight
//   in flight   a summary                          compactor.summary.applied  -> done
//   in flight   three attempts failed, a higher level took over, its run was stopped
//                                                  compactor.failed           -> done
//
// The attempts, 250 and 500 ms apart, are the engine's: the effect carries the retry policy. A
// level that failed is tried again when the context has grown by 5 points of the window; a context
// that is below all levels after a response begins afresh. A summary that did not help, at once or
// by what the next response tells, is compactor.ineffective; after two of those the channel says
// so, and no level is tried before the context is below them all, by whatever means.
//
// A compaction of a session and a run are never at work at once: the one waits for the other.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "processes/channel/effects.h"
#include "processes/channel/event.h"
#include "processes/channel/settings.h"

namespace reprise::channel {

class Scribe;

/// The level of a compaction that a run asks for.
constexpr const char* kTooLong = "too_long";

struct Compaction {
  std::string id;  ///< "c1"
  std::string level;
  std::string run_id;         ///< that waits because its prompt was too long; or empty
  std::string session;        ///< that is compacted; empty: only messages are
  uint64_t from = 0;          ///< places of the messages that are folded: first,
  uint64_t to = 0;            ///< last; 0: none
  Json rows = Json::array();  ///< of the same, [first, last]
};

struct Compactor {
  /// A summary that was applied, until the next response tells whether it helped.
  struct Unjudged {
    std::string job_id;
    std::string level;
    double before = 0;
  };

  uint64_t jobs = 0;  ///< how many there have been: the next one is c<jobs + 1>
  std::vector<Compaction> open;
  std::map<std::string, int64_t> again_at;  ///< tokens, by the level that failed
  int64_t ineffective = 0;                  ///< summaries, since the context was small
  std::optional<Unjudged> unjudged;

  const Compaction* find(const std::string& id) const;
  bool is_in_flight(const std::string& level) const;
  /// Is a session being compacted? Then nobody else may use it.
  bool holds_session() const;

  void evolve(const Event& event, const Settings& settings);
  Json to_json() const;
  void restore(const Json& json);
  /// {jobs, inFlight: [{jobId, level}], ineffective, stopped}
  Json shown() const;

 private:
  void close(const std::string& id);
};

/// Looks at the utilization after a response, and begins a job when a level is passed.
void evaluate_compaction(Scribe& scribe);
/// Begins a job, of a level of the settings or kTooLong (then for this run). False when there is
/// nothing to fold, and no session.
bool begin_compaction(Scribe& scribe, const std::string& level, const std::string& run_id);
/// A result of noun "compaction".
void resolve_compaction(Scribe& scribe, const Result& result);
/// The job that the active run waits for, if there is one, is given up.
void withdraw_compaction_of_run(Scribe& scribe);

}  // namespace reprise::channel
