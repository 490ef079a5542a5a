// The schedules without an engine: signals and results go in, events and requests come out. After
// each the state equals that of a full replay and that of a snapshot with its tail, and from both
// the same was decided.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/process/process.h"

namespace reprise::test {

using Json = nlohmann::json;

constexpr int64_t kMinute = 60'000;  ///< in milliseconds

class TestSchedules {
 public:
  TestSchedules();

  int64_t now_ms = 1'767'225'600'000;  ///< 2026-01-01T00:00:00Z

  /// Judged by check() first: a refusal records nothing; its code is returned.
  std::string signal(const std::string& name, const Json& value);
  /// Recorded without being judged, as run:signal does.
  void force(const std::string& name, const Json& value);
  void resolve(uint64_t effect, const Json& value);
  void fail(uint64_t effect, const std::string& message);
  void cancel(uint64_t effect);

  /// Adds one that fires a command; its number.
  uint64_t add(const Json& timing, int64_t next_ms, const Json& more = Json::object());

  Json ask(const Json& question) const;
  Json schedule(uint64_t id) const { return ask({{"ask", "schedule"}, {"scheduleId", id}}); }
  /// Open requests: their arguments, and "kind".
  const std::map<uint64_t, Json>& open() const { return x_open; }
  const std::vector<std::pair<std::string, Json>>& events() const { return x_events; }
  /// Types of the events since the last call, joined by blanks, without "schedule.".
  std::string news();

 private:
  struct Step {
    Activation activation;
    std::deque<std::string> texts;  ///< that the views point to
    std::vector<CommandRecord> commands;
    std::string decided;
  };
  void give(Activation activation, const std::string& name, const std::string& value);
  void record(Step& step, const Command& command);
  std::string fold(Decider& decider, size_t from) const;

  Inputs x_inputs{[] { return std::string("{}"); }};
  std::unique_ptr<Decider> x_decider;
  std::deque<Step> x_steps;
  std::map<uint64_t, Json> x_open;
  std::vector<std::pair<std::string, Json>> x_events;
  size_t x_told = 0;
  uint64_t x_effects = 0;
  std::string x_snapshot;  ///< and how many steps it covers
  size_t x_covered = 0;
};

}  // namespace reprise::test
