#include "engine/heartbeat/loop_tick.h"

#include "engine/ask.h"
#include "engine/cron/timing.h"
#include "engine/heartbeat/situation.h"
#include "journal/error.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

/// What the home's files hold may be no UTF-8; a signal is.
std::string utf8_json(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::optional<int64_t> next_occurrence(const std::string& cron, const std::string& zone,
                                       int64_t after_ms) {
  try {
    return Timing::by_cron(cron, zone.empty() ? "UTC" : zone).next_after(after_ms);
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::optional<Signal> import_signal(const TaskFile& file, const std::string& known_digest) {
  const bool is_new = known_digest.empty() ? !file.titles.empty() : file.digest != known_digest;
  if (file.digest.empty() || !is_new) return std::nullopt;
  const Json value = {{"digest", file.digest}, {"titles", file.titles}};
  return Signal{.name = "tasks.import", .value = parse_value(utf8_json(value), "HEARTBEAT.md")};
}

Signal tick_signal(BeatHome& home, const LoopSettings& settings, const Json& beat,
                   const std::vector<std::string>& notices, std::optional<int64_t> window_ms) {
  Json value = {{"trigger", window_ms ? "window" : "manual"},
                {"budgetBytes", settings.budget_bytes},
                {"writeTasks", settings.write_tasks},
                {"executors", Json::array()},
                {"next", Json::object()},
                {"sections", situation(home, beat.at("lastSeen"), notices)}};
  if (window_ms) value["window"] = *window_ms;
  for (const auto& executor : home.config.executors) value["executors"].push_back(executor.name);
  for (const auto& task : beat.at("due")) {
    if (!task.contains("cron")) continue;
    const auto next = next_occurrence(task.at("cron"), task.at("timeZone"), home.now_ms);
    if (next) value["next"][task.at("taskId").get<std::string>()] = *next;
  }
  return {.name = "heartbeat.tick", .value = parse_value(utf8_json(value), "the tick")};
}

Json ask_loop(Dir& run, const Context& context, const Json& question) {
  return Json::parse(ask(run, context, question.dump()));
}

}  // namespace reprise
