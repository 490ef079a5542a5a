// The schedules of a home, as the commands schedule:* and the heartbeat reach them: their run, and
// what must be there before something fires.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "engine/home/config.h"
#include "engine/home_run.h"

namespace reprise {

constexpr const char* kSchedulesRun = "schedules";

HomeRun schedules_run(bool simulated);

/// What a schedule's firing needs from outside, as members for the signals schedule.due and
/// schedule.fire: {"thread"} of a message, which is made unless its last one still lives;
/// {"problem":{"code","message"}} when its channel is not there; {} for all others.
/// `schedule` is what the run answers about it.
nlohmann::json prepare_firing(Workspace& workspace, const Context& context, const Config& config,
                              const nlohmann::json& schedule, bool simulated);

/// "task #3 (0 9 * * *) Summarise the night": of a prompt 100 characters.
std::string thread_name(const nlohmann::json& schedule);

}  // namespace reprise
