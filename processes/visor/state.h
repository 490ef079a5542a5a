// What the visor remembers: what it has told already. Folded from its own events; a recorded tick
// only lets it forget what can never be told again.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "processes/visor/tick.h"

namespace reprise::visor {

// Keys of requests say what they are for; an id follows.
constexpr std::string_view kWorkerKey = "worker:";
constexpr std::string_view kBranchKey = "branch:";
constexpr std::string_view kBulletinKey = "bulletin:";

/// A bulletin whose text is being written.
struct Pending {
  uint64_t effect = 0;  ///< 0: none is
  Json draft;           ///< {"bulletinId","headline","digest","state","memoryRefs"}
};

struct State {
  int64_t started_ms = 0;
  int64_t window = -1;    ///< of the last tick that was recorded
  int64_t ticked_ms = 0;  ///< when
  std::set<std::string>
      late;  ///< "web/w1", "web/b2": were told to be late, and may still be listed
  /// By channel: the failures up to this record were told.
  std::map<std::string, uint64_t> degraded;
  int64_t idle_since_ms = -1;  ///< that silence was told; -1: none was
  int64_t maintained_ms = 0;
  int64_t examined_ms = 0;  ///< memories made until then were looked at for merges
  uint64_t merged = 0;      ///< how many memories took the place of others: the next is merge<n+1>
  uint64_t bulletins = 0;
  Json bulletin;  ///< the newest: {"bulletinId","headline","digest","state","generatedAt",...}
  Pending pending;

  /// A tick that was recorded, before what it causes.
  void begin(const Tick& tick, int64_t at_ms);
  /// An event of the visor's own.
  void evolve(std::string_view type, const Json& payload, int64_t at_ms);
  /// An effect that the visor asked for.
  void requested(uint64_t effect, std::string_view key);
  Json to_json() const;
  /// Throws nlohmann::json::exception.
  static State from_json(const Json& json);
};

/// How a worker or a branch is known in State::late.
std::string name_of(const Work& work);

}  // namespace reprise::visor
