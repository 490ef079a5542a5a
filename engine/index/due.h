// What a heartbeat asks of all runs of a home: for which of them something is due. Each answer
// comes from indexes alone: it costs what is due, not what there is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/index/database.h"

namespace reprise {

/// The label of runs that heartbeats begin and drive: run:create --autodrive.
constexpr std::string_view kAutodriveLabel = "reprise.autodrive";
constexpr std::string_view kAutodriveValue = "true";
/// Runs of these built-in processes are begun and driven without it.
bool is_driven_process(std::string_view built_in);

/// Runs by the wall clock, or simulated ones: never both.
struct BeatTime {
  int64_t now_ms = 0;
  bool simulated = false;
};

struct DueRun {
  enum class Why : uint8_t {
    kReady,      ///< it has something new: a result, a signal
    kBegins,     ///< it never ran; it is a child, or heartbeats may begin it
    kTime,       ///< a sleep, a deadline, a lease or a question is over
    kRelatives,  ///< a signal or a child that it asked for, or its end, is not where it belongs
  };
  std::string name;
  Why why{};
  int64_t since_ms = 0;  ///< of the run's last record; kTime: the time that has come
};
std::string_view why_name(DueRun::Why why);

/// Each run once, in the order of Why, and of those the longest due first. Forgets on the way whose
/// relatives have been told everything.
std::vector<DueRun> list_due(Database& database, const BeatTime& time, uint64_t limit);

/// An effect that an executor may perform, or performs.
struct DrivenEffect {
  std::string root;  ///< the run that heartbeats may drive
  std::string run;   ///< itself, or a descendant
  uint64_t effect = 0;
};
/// Of all runs that heartbeats may drive: effects that are no person's and whose pause is over,
/// claimed or not, the oldest first.
std::vector<DrivenEffect> list_driven(Database& database, const BeatTime& time, uint64_t limit);

}  // namespace reprise
