#include "processes/visor/tick.h"

namespace reprise::visor {

namespace {

Settings read_settings(const Json& value) {
  const auto ms = [&value](const char* name) { return value.at(name).get<int64_t>() * 1000; };
  return {.worker_timeout_ms = ms("workerTimeoutSeconds"),
          .branch_timeout_ms = ms("branchTimeoutSeconds"),
          .degraded_count = value.at("channelDegradedFailureCount"),
          .idle_ms = ms("idleThresholdSeconds"),
          .maintenance_ms = ms("maintenanceIntervalSeconds"),
          .bulletin_words = value.at("bulletinMaxWords"),
          .degraded_window_ms = ms("channelDegradedWindowSeconds"),
          .bootstraps = value.at("bootstrapBulletin"),
          .has_writer = value.at("bulletinExecutor")};
}

std::vector<Work> read_work(const Json& list, const char* id) {
  std::vector<Work> work;
  for (const auto& item : list) {
    work.push_back({.channel = item.at("channelId"),
                    .id = item.at(id),
                    .status = item.value("status", ""),
                    .since_ms = item.at("since")});
  }
  return work;
}

Maintenance read_maintenance(const Json& value) {
  Maintenance maintenance{.forget = value.at("forget"), .merges = {}, .examined_ms = 0};
  maintenance.examined_ms = value.value("examinedUntil", int64_t{0});
  for (const auto& merge : value.at("merges")) {
    maintenance.merges.push_back({merge.at("memory"), merge.at("replaces")});
    merge.at("memory").at("note").get_ref<const std::string&>();
  }
  return maintenance;
}

}  // namespace

Tick read_tick(const Json& value) {
  Tick tick;
  tick.window = value.at("window");
  tick.settings = read_settings(value.at("settings"));
  tick.workers = read_work(value.at("workers"), "workerId");
  tick.branches = read_work(value.at("branches"), "branchId");
  tick.complete = value.at("complete");
  for (const auto& failed : value.at("failures")) {
    tick.failures.push_back({failed.at("channelId"), failed.at("seqs")});
  }
  if (value.contains("lastMessageAt")) tick.last_message_ms = value["lastMessageAt"];
  const auto& counts = value.at("counts");
  tick.channels = counts.at("channels");
  tick.open_workers = counts.at("openWorkers");
  tick.all_workers = counts.at("allWorkers");
  tick.questions = counts.at("questions");
  if (value.contains("maintenance")) tick.maintenance = read_maintenance(value["maintenance"]);
  for (const auto& card : value.value("cards", Json::array())) {
    tick.cards.push_back(
        {card.at("project"), card.at("cardId"), card.at("title"), card.at("status")});
  }
  for (const auto& named : value.value("memories", Json::array())) {
    tick.memories.push_back({named.at("section"), named.at("id"), named.at("note")});
  }
  return tick;
}

}  // namespace reprise::visor
