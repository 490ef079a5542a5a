// A tick of the subconscious loop, as a heartbeat or heartbeat:run-now tells it to the loop's run:
// the situation of the home, when cron tasks are due after it, and what HEARTBEAT.md says.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/heartbeat/chore.h"
#include "engine/heartbeat/loop_settings.h"
#include "engine/heartbeat/task_file.h"
#include "engine/signal.h"

namespace reprise {

/// When a cron expression fits next; what cannot be read any more never does. `zone` empty: UTC.
std::optional<int64_t> next_occurrence(const std::string& cron, const std::string& zone,
                                       int64_t after_ms);

/// The signal that takes over what the file says; nullopt when the loop knows it, or it cannot be
/// used. `known_digest` is the answer's "fileDigest".
std::optional<Signal> import_signal(const TaskFile& file, const std::string& known_digest);

/// The signal that opens a tick. `beat` is what the loop answers to {"ask":"beat"}; without a
/// window it is a manual one.
Signal tick_signal(BeatHome& home, const LoopSettings& settings, const nlohmann::json& beat,
                   const std::vector<std::string>& notices, std::optional<int64_t> window_ms);

/// What the loop's run answers.
nlohmann::json ask_loop(Dir& run, const Context& context, const nlohmann::json& question);

}  // namespace reprise
