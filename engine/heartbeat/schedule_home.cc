// A thread's id is made of the schedule's number and of how many threads it had: whoever prepares
// the same firing again finds the one that was made before.
#include "engine/heartbeat/schedule_home.h"

#include "engine/create.h"
#include "engine/run.h"
#include "engine/thread.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

constexpr size_t kPromptCharacters = 100;

/// Line breaks become blanks.
std::string first_characters(const std::string& text, size_t count) {
  std::string out;
  for (const char c : text) {
    const bool begins = (static_cast<unsigned char>(c) & 0xC0U) != 0x80;
    if (begins && count-- == 0) break;
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out;
}

bool lives(Workspace& workspace, const Json& thread) {
  if (!thread.is_string()) return false;
  try {
    find_live_channel(workspace, thread.get<std::string>());
  } catch (const Error& error) {
    if (error.exit() == Exit::kNotFound || error.exit() == Exit::kConflict) return false;
    throw;
  }
  return true;
}

void create_thread(Workspace& workspace, const Context& context, const Config& config,
                   const Json& schedule, const std::string& id, bool simulated) {
  const std::string parent = schedule.at("target").at("channel");
  const auto channel = find_live_channel(workspace, parent);
  auto inputs = Json::parse(inherited_by_thread(workspace, context, channel));
  inputs["id"] = id;
  inputs["name"] = thread_name(schedule);
  if (auto configured = Json::parse(config.channels); !configured.empty()) {
    inputs["configured"] = std::move(configured);
  }
  CreateRequest request;
  request.run_id = id;
  request.process.built_in = "channel";
  request.inputs = parse_value(inputs.dump(), "the thread's inputs");
  request.labels = {{kParentLabel, parent}, {"schedule", schedule.at("scheduleId").dump()}};
  request.simulated = simulated;
  const auto no_files = [](const std::string&) -> std::optional<std::string> { return {}; };
  try {
    create_run(&workspace.runs(), workspace.runs_path(), context, no_files, request);
  } catch (const Error& error) {
    // Made by a firing that did not get further.
    if (error.code() != "RUN_EXISTS" || !lives(workspace, id)) throw;
  }
}

}  // namespace

HomeRun schedules_run(bool simulated) {
  return {.name = kSchedulesRun, .process = kSchedulesRun, .simulated = simulated};
}

std::string thread_name(const Json& schedule) {
  const auto& target = schedule.at("target");
  return "task #" + schedule.at("scheduleId").dump() + " (" +
         schedule.at("timing").at("text").get<std::string>() + ") " +
         first_characters(target.at("prompt"), kPromptCharacters);
}

Json prepare_firing(Workspace& workspace, const Context& context, const Config& config,
                    const Json& schedule, bool simulated) {
  if (schedule.at("target").at("kind") != "message") return Json::object();
  const auto& last = schedule.at("thread");
  if (lives(workspace, last)) return {{"thread", last}};
  const auto id = std::string(kSchedulesRun) + "-" + schedule.at("scheduleId").dump() + "-" +
                  std::to_string(schedule.at("threads").get<uint64_t>() + 1);
  try {
    create_thread(workspace, context, config, schedule, id, simulated);
  } catch (const Error& error) {
    const bool settled = error.exit() == Exit::kNotFound || error.exit() == Exit::kConflict;
    if (!settled) throw;
    return {{"problem", {{"code", error.code()}, {"message", error.message()}}}};
  }
  return {{"thread", id}};
}

}  // namespace reprise
