// The subconscious loop as a home's configuration has it ("heartbeat"), and where its run is.
#pragma once

#include <cstdint>
#include <string>

#include "engine/heartbeat/window.h"
#include "engine/home/config.h"
#include "engine/home_run.h"

namespace reprise {

constexpr const char* kSubconsciousProcess = "subconscious";

struct LoopSettings {
  bool enabled = true;
  bool inference = true;
  int64_t interval_ms = 300'000;
  uint64_t budget_bytes = 160'000;
  std::string write_tasks = "auto";  ///< or "approve"
};

LoopSettings loop_settings(const Config& config);

/// The run "subconscious", or "subconscious-NAME".
HomeRun subconscious_run(const std::string& name, bool simulated);

/// Whether an executor would perform evaluations.
bool has_evaluator(const Config& config);

}  // namespace reprise
