#include "engine/heartbeat/loop_settings.h"

#include <nlohmann/json.hpp>

#include "engine/executors/match.h"

namespace reprise {

LoopSettings loop_settings(const Config& config) {
  LoopSettings settings;
  const auto section = config.sections.find("heartbeat");
  if (section == config.sections.end()) return settings;
  const auto json = nlohmann::json::parse(section->second);
  constexpr int64_t kMinuteMs = 60'000;
  constexpr uint64_t kBytesOfToken = 4;
  settings.enabled = json.at("enabled");
  settings.inference = json.at("inferenceEnabled");
  settings.interval_ms = json.at("intervalMinutes").get<int64_t>() * kMinuteMs;
  settings.budget_bytes = json.at("contextBudgetTokens").get<uint64_t>() * kBytesOfToken;
  settings.write_tasks = json.at("writeTasks");
  return settings;
}

HomeRun subconscious_run(const std::string& name, bool simulated) {
  const std::string process = kSubconsciousProcess;
  return {.name = name.empty() ? process : process + "-" + name,
          .process = process,
          .simulated = simulated};
}

bool has_evaluator(const Config& config) {
  return has_executor(config, "evaluate", "heartbeat.evaluate");
}

}  // namespace reprise
