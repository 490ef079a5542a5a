// What the events of the schedules come to.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "processes/kit/json.h"

namespace reprise::schedules {

using Json = nlohmann::json;
using kit::flag_of;
using kit::number_of;
using kit::text_of;

struct Schedule {
  Json facts;  ///< name, timing, target, enabled, next (null: none), fired, missed, skipped,
               ///< revision (of the timing), lastOccurrence (null: none was due yet), thread (null:
               ///< none), threads: how many were made, createdAt, updatedAt, by
  bool is_enabled() const { return facts.at("enabled"); }
  std::optional<int64_t> next_ms() const;
  const std::string& target_kind() const;
};

struct State {
  uint64_t last_schedule = 0;
  uint64_t last_firing = 0;
  std::map<uint64_t, Schedule> schedules;
  std::map<uint64_t, Json> open;         ///< firings that go on: their entries of the log
  std::map<std::string, Json> marked;    ///< threads that are to go: {"scheduleId","deleteAt"}
  std::map<uint64_t, uint64_t> effects;  ///< open requests: the firing of each
  std::vector<Json> log;  ///< entries that are over, oldest first; the newest 100 unless keeps_all
  bool keeps_all = false;

  const Schedule* find(uint64_t id) const;
  const Schedule* find(std::string_view name) const;
  /// The firing of that schedule that goes on; nullptr when there is none.
  const Json* running(uint64_t schedule) const;

  void evolve(std::string_view type, const Json& payload, int64_t at_ms);

  Json to_json() const;
  void restore(const Json& json);
};

}  // namespace reprise::schedules
